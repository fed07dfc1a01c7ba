import type { KubeObject, Live } from '@coxswain/apimachinery';
import type { Pod } from '@coxswain/api/core/v1/pod.ts';
import { Ago } from '../../../controls/ago.tsx';
import { Badge } from '../../../controls/tone.tsx';
import { containerSituation, exitText, type ContainerStatus } from '../../../health/container-situation.ts';
import { inLanguages } from '../../../language/language.ts';

const text = inLanguages(
  {
    title: 'Containers',
    init: 'init',
    restarts: (count: number) => (count === 1 ? '1 restart' : `${count} restarts`),
    last: (exit: string) => `last run: ${exit},`,
    requests: 'requests',
    limits: 'limits',
  },
  {
    title: '容器',
    init: '初始化',
    restarts: (count: number) => `重启 ${count} 次`,
    last: (exit: string) => `上次运行：${exit}，`,
    requests: '请求',
    limits: '上限',
  },
);

type LivePod = Live<Pod>;
type Spec = NonNullable<NonNullable<LivePod['spec']>['containers']>[number];

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
  readonly status: ContainerStatus | undefined;
  readonly isInit: boolean;
}

function Container({ container, status, isInit }: ContainerProps) {
  const { tone, name: state, note: why } = containerSituation(status?.state ?? {});
  const isUnready = status?.state?.running !== undefined && !status.ready;
  const last = status?.lastState?.terminated;
  const { requests, limits } = container.resources ?? {};
  return (
    <li>
      <span class="container-head">
        <strong>{container.name}</strong>
        {isInit && <span class="panel-note">{text().init}</span>}
        <Badge tone={isUnready ? 'warn' : tone}>{state}</Badge>
        {(status?.restartCount ?? 0) > 0 && (
          <span class="panel-note">{text().restarts(status!.restartCount)}</span>
        )}
      </span>
      <code>{container.image}</code>
      {why !== '' && <span class="container-why">{why}</span>}
      {last !== undefined && (
        <span class="panel-note">
          {text().last(exitText(last.exitCode, last.message || last.reason))} <Ago time={last.finishedAt} />
        </span>
      )}
      <span class="panel-note">
        {[amounts(text().requests, requests), amounts(text().limits, limits)].filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}

const amounts = (title: string, quantities: Readonly<Record<string, unknown>> | undefined): string =>
  quantities === undefined || Object.keys(quantities).length === 0
    ? ''
    : `${title} ${Object.entries(quantities)
        .map(([name, quantity]) => `${name} ${String(quantity)}`)
        .join(', ')}`;
