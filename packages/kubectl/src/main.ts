/** The executable. */
import { main } from './executable.ts';

await main(process.argv.slice(2));
