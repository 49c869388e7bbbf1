"""What the code in the sandbox can count on, in words for the model that writes it; every engine keeps to it."""

MANUAL = (
    "The value of the last expression and the printed text are the result; a list of dictionaries, or a dictionary of them, "
    "comes back as tables. Tables that were asked for are in tables[name]: a list of dictionaries by column name, with "
    ".columns, .column(name), .numbers(name), .sum(name), .where(test) and .group_by(name, ...), which gives a dictionary of "
    "tables. Numbers in them are int or Decimal, never float: write Decimal('0.2'), not 0.2, beside them. to_decimal(text) "
    "reads amounts as people write them: '1.234,56', '(1,250)', '12 %' (0.12), 'EUR 4.3m'; to_decimal(text, ',') says that "
    "the comma parts the decimals. There is no network, no file but the tables, and nothing is kept between runs."
)
