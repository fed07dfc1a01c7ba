import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const secret = command({
  use: 'secret (docker-registry | generic | tls)',
  long: `Create a secret of one of three kinds.

 docker-registry holds the credentials of an image registry.

 generic holds any keys and values.

 tls holds a certificate and its key.`,
  disableFlagsInUseLine: true,
  commands: [
    lazy({
      name: 'docker-registry',
      short: 'Create a secret for an image registry',
      load: async () => (await import('./secret-docker-registry.ts')).secretDockerRegistry,
    }),
    lazy({
      name: 'generic',
      short: 'Create a secret from files, directories or literal values',
      load: async () => (await import('./secret-generic.ts')).secretGeneric,
    }),
    lazy({
      name: 'tls',
      short: 'Create a secret of a certificate and its key',
      load: async () => (await import('./secret-tls.ts')).secretTls,
    }),
  ],
  run: showHelpOnErrorOrRefuse,
});
