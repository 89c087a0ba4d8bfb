// Has @sabaki/gtp talk to an engine, for gtp_table.py: node gtp_clients.cjs COMMANDS ENGINE ...
const { Command, Controller } = require("@sabaki/gtp");

async function main() {
  const [commands, engine, ...words] = process.argv.slice(2);
  const controller = new Controller(engine, words);
  controller.start();
  const answers = {};
  for (const text of JSON.parse(commands)) {
    const answer = await controller.sendCommand(Command.fromString(text));
    answers[text] = answer.error ? `Error: ${answer.content}` : answer.content;
  }
  console.log(JSON.stringify(answers));
}

main();
