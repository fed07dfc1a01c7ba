import { string } from '@coxswain/cobra';
import { command } from '../../command.ts';
import { completeTypesAndNames } from '../../completion/resources.ts';
import { asError } from '../../errors.ts';
import { recordFlag } from '../../flags/object-flags.ts';
import { readQuantities } from '../../quantities.ts';
import { mapContainers, matchesContainer, withPodSpec, type Container } from './pod-specs.ts';
import { changeObjects, setSelectorFlags } from './change-objects.ts';

export const resources = command({
  use: 'resources (-f FILENAME | TYPE NAME)  ([--limits=LIMITS & --requests=REQUESTS]',
  long: 'Set the resource requests and limits of containers.',
  example: `  # Of one container
  kubectl set resources deployment web -c=main --limits=cpu=200m,memory=512Mi

  # Of all of them
  kubectl set resources deployment web --limits=cpu=200m --requests=cpu=100m`,
  disableFlagsInUseLine: true,
  complete: completeTypesAndNames,
  flags: {
    ...setSelectorFlags,
    ...recordFlag,
    containers: string({
      shorthand: 'c',
      default: '*',
      usage: "The names of the containers to change. Can contain '*' as a wildcard.",
    }),
    limits: string({ usage: 'The resource limits of the containers, such as cpu=100m,memory=256Mi.' }),
    requests: string({ usage: 'The resource requests of the containers, such as cpu=100m,memory=256Mi.' }),
  },
  async run({ context, args, flags }) {
    const isMeant = matchesContainer(flags.containers);
    const changed = (container: Container): Container => ({
      ...container,
      resources: {
        ...container.resources,
        ...(flags.limits === ''
          ? {}
          : { limits: { ...container.resources?.limits, ...readQuantities(flags.limits) } }),
        ...(flags.requests === ''
          ? {}
          : { requests: { ...container.resources?.requests, ...readQuantities(flags.requests) } }),
      },
    });
    await changeObjects(context, flags, args, {
      operation: 'resource requirements updated',
      failure: 'failed to patch resources update to pod template ',
      refusesLocalNames: true,
      check: () => quantityProblems(flags),
      change(object, _info, report) {
        let isFound = false;
        const after = withPodSpec(object, (spec) =>
          mapContainers(spec, (container) => {
            if (!isMeant(container)) return container;
            isFound = true;
            return changed(container);
          }),
        );
        if (isFound) return after;
        report(new Error(`error: unable to find container named ${flags.containers}`));
        return undefined;
      },
    });
  },
});

function quantityProblems(flags: { readonly limits: string; readonly requests: string }): readonly Error[] {
  if (flags.limits === '' && flags.requests === '')
    return [
      new Error('you must specify an update to requests or limits (in the form of --requests/--limits)'),
    ];
  try {
    readQuantities(flags.limits);
    readQuantities(flags.requests);
    return [];
  } catch (failure) {
    return [asError(failure)];
  }
}
