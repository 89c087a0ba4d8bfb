// An engine made with @sabaki/gtp, as its documentation shows one: node gtp_engine.cjs
const { Engine } = require("@sabaki/gtp");

const engine = new Engine("sabaki", "3.0.0");
for (const name of ["boardsize", "clear_board", "komi", "play"]) {
  engine.command(name, (command, out) => out.send(""));
}
engine.command("genmove", (command, out) => out.send("pass"));
engine.start();
