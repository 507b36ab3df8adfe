"""The handlers of prices.lua and trades.lua for Python: what somebody would write who wants them fast."""

import sys

import orjson

_write = sys.stdout.buffer.write


def _alert(name, kind, key, text, value):
    _write(orjson.dumps({"kind": kind, "name": name, "key": key, "text": text, "value": value}) + b"\n")


def prices(level=67000.0):
    """One price, one state, one crossing."""
    clear, high, firing = level - 250, 0.0, None

    def handle(message):
        nonlocal high, firing
        price = float(message["bitcoin"])
        if price > high:
            high = price
        if firing is None:
            firing = price >= level
        elif firing:
            if price <= clear:
                firing = False
                _alert("over level", "resolved", "", "bitcoin at %.2f" % price, price)
        elif price >= level:
            firing = True
            _alert("over level", "fired", "", "bitcoin at %.2f" % price, price)

    return handle


class _Trades:
    __slots__ = ("price", "mean", "volume", "bought", "trades", "last_id", "last_time", "firing")

    def __init__(self):
        self.price = self.mean = self.volume = self.bought = 0.0
        self.trades = self.last_id = self.last_time = 0
        self.firing = None


def trades(level=67000.0):
    """One state a symbol, a weighted mean, one crossing."""
    clear, states = level - 120, {}

    def handle(message):
        symbol = message["symbol"]
        state = states.get(symbol)
        if state is None:
            state = states[symbol] = _Trades()
        price = float(message["price"])
        amount = float(message["amount"])
        state.price = price
        if state.trades == 0:
            state.mean = price
        state.mean = mean = state.mean + (price - state.mean) * 0.05
        state.volume += amount
        if message["side"] == "buy":
            state.bought += amount
        state.trades += 1
        state.last_id = message["id"]
        state.last_time = message["time"]
        if state.firing is None:
            state.firing = mean >= level
        elif state.firing:
            if mean <= clear:
                state.firing = False
                _alert("over level", "resolved", symbol, "mean price at %.2f" % mean, mean)
        elif mean >= level:
            state.firing = True
            _alert("over level", "fired", symbol, "mean price at %.2f" % mean, mean)

    return handle


handlers = {"price": prices, "trade": trades}
