import { spawn } from 'node:child_process';

/** A transaction of 10,000 services takes about a second; the kernel does not let go of one in the middle. */
const runMsMax = 120_000;
const complaintLengthMax = 2_000;

/**
 * Runs a program to its end: what it printed.
 * @throws Error when it can't be started, takes too long, or ends with another status than 0
 */
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
