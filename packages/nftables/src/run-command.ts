import { spawn } from 'node:child_process';

/** A transaction with 10,000 services takes about a second, and the kernel cannot be interrupted. */
const runMsMax = 120_000;
const complaintLengthMax = 2_000;

/**
 * Runs a program and returns its output.
 * @throws Error if it cannot be started, takes too long, or exits with a status other than 0
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
    // It may exit without reading all input; the status is the reason.
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
