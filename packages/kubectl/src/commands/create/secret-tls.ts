import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { keyPairProblem } from '@coxswain/client/kubeconfig/key-pair.ts';
import { bool, string } from '@coxswain/cobra';
import { command, nameFromArguments } from '../../command.ts';
import { readFailureText } from '@coxswain/apimachinery/system-message.ts';
import { toBase64 } from './key-files.ts';
import { createSecret } from './secret-data.ts';
import { createFlags, creating } from './create-object.ts';

export const secretTls = command({
  use: 'tls NAME --cert=path/to/cert/file --key=path/to/key/file [--dry-run=server|client|none]',
  long: 'Create a Secret from a certificate and its private key, both in PEM format. They must match.',
  example: `  # From a certificate and its key
  kubectl create secret tls web --cert=tls.crt --key=tls.key`,
  disableFlagsInUseLine: true,
  flags: {
    ...createFlags,
    cert: string({ usage: 'Path to the certificate, in PEM format.' }),
    key: string({ usage: 'Path to the private key of the certificate, in PEM format.' }),
    appendHash: bool({ usage: 'Append a hash of the content to the name of the object.' }),
  },
  async run(invocation) {
    const { flags, context } = invocation;
    const name = nameFromArguments(invocation);
    const create = await creating(invocation, flags);
    if (flags.cert === '' || flags.key === '') throw new Error('key and cert must be specified');
    const certificate = read(flags.cert, context.io.workingDirectory);
    const key = read(flags.key, context.io.workingDirectory);
    const problem = keyPairProblem(certificate.toString('utf8'), key.toString('utf8'));
    if (problem !== undefined) throw new Error(problem);
    await createSecret(create, { name, appendHash: flags.appendHash }, 'kubernetes.io/tls', {
      'tls.crt': toBase64(certificate),
      'tls.key': toBase64(key),
    });
  },
});

function read(file: string, workingDirectory: string): Buffer {
  try {
    return readFileSync(isAbsolute(file) ? file : join(workingDirectory, file));
  } catch (failure) {
    throw new Error(`Cannot read file ${file}, ${readFailureText(file, failure)}`, { cause: failure });
  }
}
