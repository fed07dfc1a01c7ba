import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Badge, type Tone } from '../../../controls/tone.tsx';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    title: 'Containers',
    init: 'init',
    restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
    requests: 'requests',
    limits: 'limits',
    exit: (code: number) => `exit code ${code}`,
    waiting: 'Waiting',
  },
  {
    title: '容器',
    init: '初始化',
    restarts: (count: number) => `重启 ${count} 次`,
    requests: '请求',
    limits: '上限',
    exit: (code: number) => `退出码 ${code}`,
    waiting: '等待中',
  },
);

type LivePod = Live<Pod>;
type Spec = NonNullable<NonNullable<LivePod['spec']>['containers']>[number];
type Status = NonNullable<NonNullable<LivePod['status']>['containerStatuses']>[number];

export function Containers({ pod }: { readonly pod: KubeObject }) {
  const { spec, status } = pod as LivePod;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const statusOf = (container: Spec) => statuses.find(({ name }) => name === container.name);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{text().title}</h2>
      </div>
      <ul class="containers">
        {(spec?.initContainers ?? []).map((container) => (
          <Container key={container.name} container={container} status={statusOf(container)} isInit />
        ))}
        {(spec?.containers ?? []).map((container) => (
          <Container key={container.name} container={container} status={statusOf(container)} isInit={false} />
        ))}
      </ul>
    </section>
  );
}

interface ContainerProps {
  readonly container: Spec;
  readonly status: Status | undefined;
  readonly isInit: boolean;
}

function Container({ container, status, isInit }: ContainerProps) {
  const [tone, state, why] = stateOf(status);
  const { requests, limits } = container.resources ?? {};
  return (
    <li>
      <span class="container-head">
        <strong>{container.name}</strong>
        {isInit && <span class="panel-note">{text().init}</span>}
        <Badge tone={tone}>{state}</Badge>
        {(status?.restartCount ?? 0) > 0 && (
          <span class="panel-note">{text().restarts(status!.restartCount)}</span>
        )}
      </span>
      <code>{container.image}</code>
      {why !== '' && <span class="container-why">{why}</span>}
      <span class="panel-note">
        {[amounts(text().requests, requests), amounts(text().limits, limits)].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}

function stateOf(status: Status | undefined): readonly [Tone, string, string] {
  const { waiting, running, terminated } = status?.state ?? {};
  if (running !== undefined) return [status?.ready ? 'ok' : 'warn', 'Running', ''];
  if (terminated !== undefined)
    return [
      terminated.exitCode === 0 ? 'idle' : 'bad',
      terminated.reason || 'Terminated',
      [text().exit(terminated.exitCode), terminated.message].filter(Boolean).join(': '),
    ];
  return ['warn', waiting?.reason || text().waiting, waiting?.message ?? ''];
}

const amounts = (title: string, quantities: Readonly<Record<string, unknown>> | undefined): string =>
  quantities === undefined || Object.keys(quantities).length === 0
    ? ''
    : `${title} ${Object.entries(quantities)
        .map(([name, quantity]) => `${name} ${String(quantity)}`)
        .join(', ')}`;
