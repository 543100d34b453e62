// Asks for the program before anything else: it is what a reader waits for longest.
// @ts-check
import { compile } from "./program.js";

compile().catch(() => {}); // told by who needs it
