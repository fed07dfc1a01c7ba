import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '@coxswain/apimachinery';
import { afterAll, expect, test, vi } from 'vitest';
import { ExecCredentials } from './exec-credential.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'exec-credential-'));
afterAll(() => rmSync(directory, { recursive: true }));

const apiVersion = 'client.authentication.k8s.io/v1';

function credentialsOf(name: string, script: string): ExecCredentials {
  const command = path.join(directory, name);
  writeFileSync(command, `#!/bin/sh\n${script}\n`);
  chmodSync(command, 0o755);
  return new ExecCredentials({ command, apiVersion, interactiveMode: 'Never' }, {}, systemClock);
}

test('a program is asked once for its token', async () => {
  const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: 'secret' } });
  const credentials = credentialsOf('once', `echo x >> ${directory}/runs\necho '${answer}'`);

  expect(await credentials.get()).toEqual({ token: 'secret' });
  expect(await credentials.get()).toEqual({ token: 'secret' });
  expect(readFileSync(path.join(directory, 'runs'), 'utf8')).toBe('x\n');
});

test('a program that prints without end, and does not end when it is asked to, is stopped', async () => {
  const endless = credentialsOf(
    'endless',
    `trap '' TERM PIPE\necho $$ > ${directory}/pid\nwhile :; do head -c 65536 /dev/zero; done`,
  );

  await expect(endless.get()).rejects.toThrow(/endless printed more than 1048576 characters$/);
  const pid = Number(readFileSync(path.join(directory, 'pid'), 'utf8'));
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(/ESRCH/));
});

test('a program that fails is asked again the next time', async () => {
  const failing = credentialsOf('failing', `echo x >> ${directory}/failures\nexit 3`);

  await expect(failing.get()).rejects.toThrow(/failing failed with exit code 3$/);
  await expect(failing.get()).rejects.toThrow(/failing failed with exit code 3$/);
  expect(readFileSync(path.join(directory, 'failures'), 'utf8')).toBe('x\nx\n');
});

test('a program that a signal ends has no exit code', async () => {
  await expect(credentialsOf('killed', 'kill -9 $$').get()).rejects.toThrow(
    /killed failed with exit code -1$/,
  );
});

test('a certificate of which no connection can be made is refused', async () => {
  const status = { clientCertificateData: 'none', clientKeyData: 'none' };
  const answer = JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
  await expect(credentialsOf('certificate', `echo '${answer}'`).get()).rejects.toThrow(
    'failed parsing client key/certificate: tls: failed to find any PEM data in certificate input',
  );
});

test('a program that needs the terminal is not run once this program reads from it', async () => {
  const taken = { isTTY: true, readableDidRead: true } as typeof process.stdin;
  const restored = vi.spyOn(process, 'stdin', 'get').mockReturnValue(taken);
  const credentials = new ExecCredentials(
    { command: 'true', apiVersion, interactiveMode: 'Always' },
    {},
    systemClock,
  );

  await expect(credentials.get()).rejects.toThrow(
    /standard input is unavailable: used by stdin resource manifest reader$/,
  );
  restored.mockRestore();
});
