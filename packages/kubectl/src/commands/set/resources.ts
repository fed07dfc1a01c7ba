import { string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { recordFlag } from '../../flags/shared.ts';
import { readQuantities } from '../../quantities.ts';
import { matchesContainer, withPodSpec, type Container } from './pod-specs.ts';
import { changeObjects, setSelectorFlags } from './shared.ts';

export const resources = command({
  use: 'resources (-f FILENAME | TYPE NAME)  ([--limits=LIMITS & --requests=REQUESTS]',
  long: 'Set what containers request and what they may use.',
  example: `  # Of one container
  kubectl set resources deployment web -c=main --limits=cpu=200m,memory=512Mi

  # Of all of them
  kubectl set resources deployment web --limits=cpu=200m --requests=cpu=100m`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...setSelectorFlags,
    ...recordFlag,
    containers: string({ shorthand: 'c', default: '*', usage: 'Which containers, with * for any text.' }),
    limits: string({ usage: 'What containers may use, as cpu=100m,memory=256Mi.' }),
    requests: string({ usage: 'What containers request, as cpu=100m,memory=256Mi.' }),
  },
  async run({ context, args, flags }) {
    if (flags.limits === '' && flags.requests === '') {
      throw new Error(
        'you must specify an update to requests or limits (in the form of --requests/--limits)',
      );
    }
    const limits = readQuantities(flags.limits);
    const requests = readQuantities(flags.requests);
    const isMeant = matchesContainer(flags.containers);
    const changed = (container: Container): Container => ({
      ...container,
      resources: {
        ...container.resources,
        ...(flags.limits === '' ? {} : { limits: { ...container.resources?.limits, ...limits } }),
        ...(flags.requests === '' ? {} : { requests: { ...container.resources?.requests, ...requests } }),
      },
    });
    await changeObjects(context, flags, args, {
      operation: 'resource requirements updated',
      failure: 'failed to patch resources update to pod template ',
      refusesLocalNames: true,
      change: (object, info) =>
        withPodSpec(object, info, (spec) => {
          const { containers = [] } = spec;
          if (!containers.some(isMeant))
            throw new Error(`unable to find container named ${flags.containers}`);
          return {
            ...spec,
            containers: containers.map((container) => (isMeant(container) ? changed(container) : container)),
          };
        }),
    });
  },
});
