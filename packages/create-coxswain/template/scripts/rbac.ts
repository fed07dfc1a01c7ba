/** Generates manifests/rbac.yaml: the smallest roles that allow the operator's requests in the tests. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const project = path.join(import.meta.dirname, '..');
const directory = mkdtempSync(path.join(os.tmpdir(), 'greeting-operator-'));
const audit = path.join(directory, 'audit.log');
try {
  execFileSync(process.execPath, ['--test', 'test/*.test.ts'], {
    cwd: project,
    env: { ...process.env, AUDIT_LOG: audit },
    stdio: 'inherit',
  });
  const flags = [
    `--from-audit=${audit}`,
    '--user=system:serviceaccount:default:greeting-operator',
    '--role-name=greeting-operator',
    '--all-namespaces',
    // The webhook's certificate is a Secret in the operator's namespace.
    '--own-namespace',
  ];
  const roles = execFileSync('npx', ['coxswain', 'rbac', 'minimal', ...flags], {
    cwd: project,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  writeFileSync(path.join(project, 'manifests/rbac.yaml'), `# Made by npm run rbac.\n${roles}`);
} finally {
  rmSync(directory, { recursive: true });
}
