import { detach } from '@coxswain/apimachinery/detach.ts';
import { useState } from 'preact/hooks';
import { Button } from '../../controls/button.tsx';
import { inLanguages } from '../../language/language.ts';
import { whileBusy } from './busy.ts';
import { act } from './testing-calls.ts';

const text = inLanguages(
  {
    title: 'Clock',
    advance: 'Advance',
    by: 'Duration, such as 90s or 2h',
    idle: 'Run until idle',
    note: 'The virtual clock stands still until you advance it. All timers that become due fire in order.',
  },
  {
    title: '时钟',
    advance: '推进',
    by: '推进多少，例如 90s 或 2h',
    idle: '等待空闲',
    note: '虚拟时钟只在推进时前进，到期的定时器会依次触发。',
  },
);

const usual = ['10s', '1m', '10m', '1h', '1d'];

export function ClockPanel({ now, isBusy }: { readonly now: string; readonly isBusy: boolean }) {
  const [by, setBy] = useState('90s');
  const unless = whileBusy(isBusy);
  const advance = (duration: string): void => detach(act('POST', 'clock/advance', { by: duration }));
  return (
    <section class="panel" aria-labelledby="clock-title">
      <div class="panel-head">
        <h2 id="clock-title">{text().title}</h2>
        <Button unless={unless} onPress={() => detach(act('POST', 'idle'))}>
          {text().idle}
        </Button>
      </div>
      <div class="test-body">
        <time class="test-time" dateTime={now}>
          {now.replace('T', ' ').replace(/\.\d+Z$/, 'Z')}
        </time>
        <div class="test-tools">
          {usual.map((duration) => (
            <Button key={duration} unless={unless} onPress={() => advance(duration)}>
              +{duration}
            </Button>
          ))}
          <input
            class="input mono test-duration"
            aria-label={text().by}
            title={text().by}
            value={by}
            onInput={({ currentTarget }) => setBy(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Enter' && unless === undefined && advance(by.trim())}
          />
          <Button kind="primary" icon="play" unless={unless} onPress={() => advance(by.trim())}>
            {text().advance}
          </Button>
        </div>
        <p class="panel-note">{text().note}</p>
      </div>
    </section>
  );
}
