"""One thin file a screen, opened by st.navigation."""
