// Plays on the board's page in Firefox: node firefox.cjs FIREFOX URL. Prints the errors as JSON.
const puppeteer = require("puppeteer-core");

const [program, url] = process.argv.slice(2);

async function play(page) {
  await page.goto(url);
  await page.waitForSelector("#board .live-board");
  await page.locator('#actions [data-action="new"], #menu [data-action="new"]').click();
  await page.click('#new-game-dialog [name=game][value="pinch"]');
  for (const side of ["columns", "rows"]) {
    await page.locator(`#new-game-dialog [name=${side}]`).fill("5");
  }
  await page.click("#new-game-dialog [name=pie]");
  await page.select("#new-game-dialog [name=white-player]", "0");
  await page.click("#new-game-dialog button[type=submit]");
  await page.waitForSelector("#new-game-dialog", { hidden: true });
  await page.click('#board [data-point="A1"]');
  await page.waitForSelector("#board .stones .stone.white"); // the engine's reply
  await page.click("#tab-analysis");
  await page.click("#live");
  await page.waitForSelector("#board .candidate:not([display])");
}

async function main() {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: program,
    defaultViewport: { width: 1280, height: 800 },
  });
  const errors = [];
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(120000);
    page.on("pageerror", (error) => errors.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await play(page);
    console.log(JSON.stringify(errors));
  } finally {
    await browser.close();
  }
}

main();
