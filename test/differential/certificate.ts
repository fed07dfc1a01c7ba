/** What the played webhooks show: made anew for each run, by `openssl`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export function hookCertificate(): { readonly cert: string; readonly key: string } {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'differ-hooks-'));
  const names = 'subjectAltName=IP:127.0.0.1';
  writeFileSync(path.join(directory, 'config'), '[req]\ndistinguished_name=dn\n[dn]\n');
  try {
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -config config'.split(' '),
        ...'-keyout key -out cert -days 30 -subj /CN=hooks'.split(' '),
        '-addext',
        names,
        '-addext',
        'basicConstraints=critical,CA:TRUE',
      ],
      { cwd: directory, stdio: 'ignore' },
    );
    const read = (file: string) => readFileSync(path.join(directory, file), 'utf8');
    return { cert: read('cert'), key: read('key') };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
