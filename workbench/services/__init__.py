"""The use cases, over ports. No streamlit, openai, chromadb or sqlalchemy here."""
