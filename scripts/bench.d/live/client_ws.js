// Node with ws: client_ws.js price|trade
"use strict";

const fs = require("fs");
const WebSocket = require("ws");

const url = process.env.BENCH_URL;

function alert(name, kind, key, text, value) {
  process.stdout.write(JSON.stringify({ kind, name, key, text, value }) + "\n");
}

// The handler of prices.lua.
function prices(level = 67000) {
  const clear = level - 250;
  let high = 0, firing = null;
  return (message) => {
    const price = Number(message.bitcoin);
    if (price > high) high = price;
    if (firing === null) {
      firing = price >= level;
    } else if (firing) {
      if (price <= clear) {
        firing = false;
        alert("over level", "resolved", "", `bitcoin at ${price.toFixed(2)}`, price);
      }
    } else if (price >= level) {
      firing = true;
      alert("over level", "fired", "", `bitcoin at ${price.toFixed(2)}`, price);
    }
  };
}

// The handler of trades.lua.
function trades(level = 67000) {
  const clear = level - 120, states = new Map();
  return (message) => {
    let state = states.get(message.symbol);
    if (state === undefined) {
      state = { price: 0, mean: 0, volume: 0, bought: 0, trades: 0, lastId: 0, lastTime: 0, firing: null };
      states.set(message.symbol, state);
    }
    const price = Number(message.price), amount = Number(message.amount);
    state.price = price;
    if (state.trades === 0) state.mean = price;
    state.mean += (price - state.mean) * 0.05;
    state.volume += amount;
    if (message.side === "buy") state.bought += amount;
    state.trades++;
    state.lastId = message.id;
    state.lastTime = message.time;
    if (state.firing === null) {
      state.firing = state.mean >= level;
    } else if (state.firing) {
      if (state.mean <= clear) {
        state.firing = false;
        alert("over level", "resolved", message.symbol, `mean price at ${state.mean.toFixed(2)}`, state.mean);
      }
    } else if (state.mean >= level) {
      state.firing = true;
      alert("over level", "fired", message.symbol, `mean price at ${state.mean.toFixed(2)}`, state.mean);
    }
  };
}

const handle = process.argv[2] === "trade" ? trades() : prices();
const options = { perMessageDeflate: false, skipUTF8Validation: true };
if (url.startsWith("wss:")) options.ca = fs.readFileSync(process.env.BENCH_CA);
const socket = new WebSocket(url, options);
socket.on("message", (data) => {
  const message = JSON.parse(data);
  handle(message);
  if (message.stamp !== undefined) socket.send(JSON.stringify({ stamp: message.stamp }));
});
socket.on("close", () => process.exit(0));
