import { lazy } from '@coxswain/cobra';
import { command, showHelpOnErrorOrRefuse } from '../../command.ts';

export const set = command({
  use: 'set SUBCOMMAND',
  long: 'Set specific fields of existing objects: images, environment variables, resources and more.',
  disableFlagsInUseLine: true,
  run: showHelpOnErrorOrRefuse,
  commands: [
    lazy({
      name: 'env',
      short: 'Set environment variables of containers',
      load: async () => (await import('./env.ts')).env,
    }),
    lazy({
      name: 'image',
      short: 'Set the images of containers',
      load: async () => (await import('./image.ts')).image,
    }),
    lazy({
      name: 'resources',
      short: 'Set the resource requests and limits of containers',
      load: async () => (await import('./resources.ts')).resources,
    }),
    lazy({
      name: 'selector',
      short: 'Set the selector of a service',
      load: async () => (await import('./selector.ts')).selector,
    }),
    lazy({
      name: 'serviceaccount',
      aliases: ['sa'],
      short: 'Set the service account of pods',
      load: async () => (await import('./serviceaccount.ts')).serviceaccount,
    }),
    lazy({
      name: 'subject',
      short: 'Add subjects to a binding',
      load: async () => (await import('./subject.ts')).subject,
    }),
  ],
});
