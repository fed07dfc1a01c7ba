import { spawn } from 'node:child_process';

/** Runs `nft`: its output. @throws Error with what it complained of */
export type RunNft = (args: readonly string[], input: string) => Promise<string>;

/** A transaction of 10,000 services takes about a second; the kernel does not let go of one in the middle. */
const runMsMax = 120_000;
const complaintLengthMax = 2_000;

export const runNft: RunNft = (args, input) => runCommand('nft', args, input);

/** @throws Error when it can't be started, takes too long, or ends with another status than 0 */
export function runCommand(command: string, args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'pipe', timeout: runMsMax });
    const output: Buffer[] = [];
    let complaint = '';
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      if (complaint.length < complaintLengthMax) complaint += chunk.toString();
    });
    // It may end without having read all; its status tells why.
    child.stdin.on('error', () => {});
    child.on('error', (error) => reject(new Error(`${command}: ${error.message}`, { cause: error })));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output).toString());
      else
        reject(
          new Error(
            `${command} ${args.join(' ')}: ${complaint.slice(0, complaintLengthMax).trim() || `ended with ${signal ?? code}`}`,
          ),
        );
    });
    child.stdin.end(input);
  });
}
