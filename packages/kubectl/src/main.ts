/** The entry point of the executable. */
import { main } from './executable.ts';

await main(process.argv.slice(2));
