import { Empty, Loading } from '../../../controls/notice.tsx';
import { inLanguages } from '../../../language/language.ts';
import { useTraffic, type Queue } from './use-traffic.ts';
import './traffic.css';

const text = inLanguages(
  {
    title: 'Requests per second',
    byVerb: 'By verb',
    byFlow: 'By flow schema',
    queues: 'Controllers’ queues',
    forbidden: 'The API server’s metrics are not accessible',
    why: 'Reading them requires permission to get /metrics.',
    waiting: (depth: number) => `${depth} waiting`,
    none: 'none',
  },
  {
    title: '每秒请求数',
    byVerb: '按动词',
    byFlow: '按来源（flow schema）',
    queues: '控制器队列',
    forbidden: '无法读取 API 服务器的指标',
    why: '需要对路径 /metrics 的 get 权限。',
    waiting: (depth: number) => `${depth} 个等待中`,
    none: '无',
  },
);

export function Traffic() {
  const { phase, byVerb, byFlow, queues } = useTraffic();
  return (
    <section class="panel" aria-labelledby="traffic-title">
      <div class="panel-head">
        <h2 id="traffic-title">{text().title}</h2>
        {phase === 'measured' && <span class="panel-note">{perSecond(sum(byVerb))}</span>}
      </div>
      {phase === 'measuring' && <Loading lines={4} />}
      {phase === 'forbidden' && <Empty title={text().forbidden}>{text().why}</Empty>}
      {phase === 'measured' && (
        <div class="traffic">
          <Rates title={text().byVerb} rates={byVerb} />
          <Rates title={text().byFlow} rates={byFlow} />
          {queues.length > 0 && <Queues queues={queues} />}
        </div>
      )}
    </section>
  );
}

const shownMax = 7;

function Rates({ title, rates }: { readonly title: string; readonly rates: ReadonlyMap<string, number> }) {
  const shown = [...rates]
    .filter(([, rate]) => rate > 0)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, shownMax);
  const most = shown[0]?.[1] ?? 1;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {shown.map(([name, rate]) => (
          <Bar key={name} name={name} value={perSecond(rate)} share={rate / most} />
        ))}
        {shown.length === 0 && <li class="traffic-none">{text().none}</li>}
      </ul>
    </div>
  );
}

function Queues({ queues }: { readonly queues: readonly Queue[] }) {
  const shown = queues
    .toSorted((one, other) => other.depth - one.depth || other.addsPerSecond - one.addsPerSecond)
    .slice(0, shownMax);
  const most = Math.max(1, ...shown.map(({ depth }) => depth));
  return (
    <div>
      <h3>{text().queues}</h3>
      <ul>
        {shown.map(({ name, depth, addsPerSecond }) => (
          <Bar
            key={name}
            name={name}
            value={depth > 0 ? text().waiting(depth) : perSecond(addsPerSecond)}
            share={depth / most}
          />
        ))}
      </ul>
    </div>
  );
}

const Bar = ({
  name,
  value,
  share,
}: {
  readonly name: string;
  readonly value: string;
  readonly share: number;
}) => (
  <li class="traffic-bar" title={name}>
    <span class="traffic-fill" style={{ width: `${share * 100}%` }} />
    <span class="traffic-name truncated">{name}</span>
    <span class="traffic-value">{value}</span>
  </li>
);

const sum = (rates: ReadonlyMap<string, number>): number =>
  [...rates.values()].reduce((all, one) => all + one, 0);

const perSecond = (rate: number): string => `${rate >= 100 ? Math.round(rate) : rate.toFixed(1)}/s`;
