import init from "./fourfold-app.js";
init();
