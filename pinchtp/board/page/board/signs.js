// What the signs of cells mean. Cells count from the lower left corner, row by row.
import { BANNED, NO_POINT, isStone } from "../../../html/board.js";

export { BANNED, NO_POINT, isStone };

/** @typedef {"black" | "white"} Color */

/** @param {string} sign */
export const isKing = (sign) => sign === "3" || sign === "4";
/** @param {string} sign @returns {Color} of a stone */
export const colorOf = (sign) => (sign === "1" || sign === "3" ? "black" : "white");
