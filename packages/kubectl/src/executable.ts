/** The life of the process: runs one command line, then exits with its status. */
import { processIo } from './process-io.ts';
import { runKubectl } from './run.ts';

export { processIo } from './process-io.ts';
export { runKubectl } from './run.ts';

export async function main(args: readonly string[]): Promise<never> {
  process.exitCode = await runKubectl(args, processIo());
  process.exit();
}
