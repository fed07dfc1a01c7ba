/** Resolves a priority class name to the number that the scheduler uses. */
import { badRequest } from '@coxswain/apimachinery';
import type { AdmissionAttributes, AdmissionPlugin } from '@coxswain/apiserver';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { PriorityClass } from '@coxswain/api/scheduling/v1/priority-class.ts';
import { isTo, objectOf, oldObjectOf, on, refused } from '../attributes.ts';
import { resources, type ObjectReader } from '../../object-reader.ts';

interface Established {
  readonly className: string;
  readonly priority: number;
  readonly preemptionPolicy: Pod['spec']['preemptionPolicy'];
}

export const priority = (objects: ObjectReader): AdmissionPlugin => ({
  name: 'Priority',
  resources: [resources.pods, resources.priorityClasses],
  handles: on('CREATE', 'UPDATE'),
  concerns: ({ subresource }) => subresource === '',
  async mutate(attributes) {
    if (!isTo(attributes, resources.pods)) return;
    if (attributes.operation === 'UPDATE') keepPriority(attributes);
    else setPriority(attributes, await establish(attributes, objects));
  },
  async validate(attributes) {
    if (!isTo(attributes, resources.priorityClasses)) return;
    const created = objectOf<PriorityClass>(attributes);
    if (!created.globalDefault) return;
    const current = await defaultClass(objects);
    if (current === undefined) return;
    const name = current.metadata.name!;
    if (attributes.operation === 'UPDATE' && name === created.metadata.name) return;
    throw refused(
      attributes,
      `PriorityClass ${name} is already marked as default. Only one default can exist`,
    );
  },
});

function keepPriority(attributes: AdmissionAttributes): void {
  const { spec } = objectOf<Pod>(attributes);
  const old = oldObjectOf<Pod>(attributes).spec;
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
}

function setPriority(attributes: AdmissionAttributes, established: Established): void {
  const { spec } = objectOf<Pod>(attributes);
  const { className, priority: value, preemptionPolicy } = established;
  const by = (what: unknown) =>
    `must not be provided in pod spec; priority admission controller computed ${what} from the given PriorityClass name`;
  if (className !== '') spec.priorityClassName = className;
  if (spec.priority !== undefined && spec.priority !== value) {
    throw refused(attributes, `the integer value of priority (${spec.priority}) ${by(value)}`);
  }
  spec.priority = value;
  if (preemptionPolicy === undefined) return;
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== preemptionPolicy) {
    throw refused(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) ${by(preemptionPolicy)}`,
    );
  }
  spec.preemptionPolicy = preemptionPolicy;
}

async function establish(attributes: AdmissionAttributes, objects: ObjectReader): Promise<Established> {
  const { spec } = objectOf<Pod>(attributes);
  if (spec === undefined)
    throw badRequest('resource was marked with kind Pod but was unable to be converted');
  const name = spec.priorityClassName;
  if (!name) {
    const found = await defaultClass(objects);
    return found === undefined
      ? { className: '', priority: 0, preemptionPolicy: 'PreemptLowerPriority' }
      : { className: found.metadata.name!, priority: found.value, preemptionPolicy: found.preemptionPolicy };
  }
  const found = await objects.get<PriorityClass>(resources.priorityClasses, '', name);
  if (found === undefined) throw refused(attributes, `no PriorityClass with name ${name} was found`);
  return { className: name, priority: found.value, preemptionPolicy: found.preemptionPolicy };
}

/** If there are several, the one with the lowest value. */
async function defaultClass(objects: ObjectReader): Promise<PriorityClass | undefined> {
  const classes = await objects.list<PriorityClass>(resources.priorityClasses, '');
  return classes.filter(({ globalDefault }) => globalDefault).toSorted((a, b) => a.value - b.value)[0];
}
