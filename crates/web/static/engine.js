import init from "./fourfold-engine.js";
init();
