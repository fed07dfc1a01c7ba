/** Wraps a runtime so that calls with side effects are recorded as steps of the pod's sync. */
import { runStep, type StepDetail, type StepObserver } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import type { Probe } from '@coxswain/api/core/v1/probe.ts';
import type { ProbeResult, Runtime, Sandbox, StartRequest } from './runtime.ts';

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
  probe: (id: string, { exec, httpGet, tcpSocket, grpc }: Probe, kind: string) => ({
    id,
    kind,
    command: exec?.command,
    asks: httpGet ?? tcpSocket ?? grpc,
  }),
};

/** What is recorded of a result. */
const results: Readonly<Record<string, (result: never) => StepDetail>> = {
  probe: ({ success, output }: ProbeResult) => ({ success, output }),
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
  const resultOf = results[String(name)] as ((result: unknown) => StepDetail) | undefined;
  const called = (args: readonly unknown[]): unknown => Reflect.apply(member, target, args);
  const calledAndNoted = async (args: readonly unknown[]): Promise<unknown> => {
    const result = await called(args);
    observer.note?.(resultOf!(result));
    return result;
  };
  const body = resultOf === undefined ? called : calledAndNoted;
  return (...args: unknown[]): unknown =>
    runStep(observer, `runtime/${String(name)}`, () => body(args), reported(...args), member);
}
