// The page of a match while the match is played.
import { keepUpToDate } from "./live.js";
import { takeOver } from "./page.js";

keepUpToDate(takeOver);
