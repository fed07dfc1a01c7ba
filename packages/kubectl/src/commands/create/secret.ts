import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const secret = command({
  use: 'secret (docker-registry | generic | tls)',
  long: `Create a Secret of one of three types.

 docker-registry contains the credentials of an image registry.

 generic contains arbitrary keys and values.

 tls contains a certificate and its private key.`,
  disableFlagsInUseLine: true,
  commands: [
    lazy({
      name: 'docker-registry',
      short: 'Create a secret for use with a container registry',
      load: async () => (await import('./secret-docker-registry.ts')).secretDockerRegistry,
    }),
    lazy({
      name: 'generic',
      short: 'Create a secret from files, directories or literal values',
      load: async () => (await import('./secret-generic.ts')).secretGeneric,
    }),
    lazy({
      name: 'tls',
      short: 'Create a TLS secret',
      load: async () => (await import('./secret-tls.ts')).secretTls,
    }),
  ],
  run: showHelpOnErrorOrRefuse,
});
