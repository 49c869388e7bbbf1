"""The web application: ``pincite run`` starts it, as does ``streamlit run app.py``.

Streamlit looks for the assignment of ``app`` in the text of this file: it stays a plain call.
"""

import streamlit as st

from workbench.ui.http.routes import MIDDLEWARE, ROUTES
from workbench.ui.lifespan import lifespan
from workbench.ui.signing_in import secrets

app = st.App("workbench/ui/main.py", routes=ROUTES, middleware=MIDDLEWARE, lifespan=lifespan, secrets=secrets())
