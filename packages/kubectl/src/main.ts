/** The executable. */
import { processIo } from './process-io.ts';
import { runKubectl } from './run.ts';

process.exitCode = await runKubectl(process.argv.slice(2), processIo());
process.exit();
