/** Wraps a runtime so that calls with side effects are recorded as steps of the pod's sync. */
import { runStep, type StepDetail, type StepObserver } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Runtime, Sandbox, StartRequest } from './runtime.ts';

type Reported = (...args: never[]) => StepDetail;

const podOf = ({ metadata }: Pod): string => `${metadata?.namespace}/${metadata?.name}`;

/** What is recorded of each call, by method. */
const calls: Readonly<Record<string, Reported>> = {
  pullImage: (image: string, pod: Pod) => ({ image, pod: podOf(pod) }),
  runSandbox: (pod: Pod) => ({ pod: podOf(pod) }),
  stopSandbox: ({ id }: Sandbox, pod: Pod) => ({ id, pod: podOf(pod) }),
  startContainer: ({ pod, container, restarts }: StartRequest) => ({
    pod: podOf(pod),
    container: container.name,
    image: container.image,
    restarts,
  }),
  stopContainer: (id: string, graceMs: number) => ({ id, graceMs }),
  removeContainer: (id: string) => ({ id }),
  probe: (id: string, _probe: unknown, kind: string) => ({ id, kind }),
};

export function observedRuntime(runtime: Runtime, observer: StepObserver | undefined): Runtime {
  if (observer === undefined) return runtime;
  const known = new Map<PropertyKey, unknown>();
  return new Proxy(runtime, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      let method = known.get(name);
      if (method === undefined) known.set(name, (method = observedMethod(target, name, member, observer)));
      return method;
    },
  });
}

// oxlint-disable-next-line typescript/no-unsafe-function-type
function observedMethod(
  target: Runtime,
  name: PropertyKey,
  member: Function,
  observer: StepObserver,
): unknown {
  const reported = calls[String(name)] as ((...args: unknown[]) => StepDetail) | undefined;
  if (reported === undefined) return member.bind(target);
  return (...args: unknown[]): unknown =>
    runStep(
      observer,
      `runtime/${String(name)}`,
      () => Reflect.apply(member, target, args),
      reported(...args),
      member,
    );
}
