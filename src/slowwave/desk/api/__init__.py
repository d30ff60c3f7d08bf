"""The HTTP endpoints, on the loopback: what is asked, who may ask it, and what is answered.

Open ``guard.py`` first: it decides from the head of a request alone. ``app.py`` has the routes, ``server.py`` the
socket, ``backing.py`` the home behind them.
"""
