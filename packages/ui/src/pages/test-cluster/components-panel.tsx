import { detach } from '@coxswain/apimachinery/detach.ts';
import { Button } from '../../controls/button.tsx';
import { Dot } from '../../controls/tone.tsx';
import { inLanguages } from '../../language/language.ts';
import { whileBusy } from './busy.ts';
import { act, type TestingState } from './testing-calls.ts';

const text = inLanguages(
  { title: 'Components', start: 'Start', stop: 'Stop', restart: 'Restart', stopped: 'stopped' },
  { title: '组件', start: '启动', stop: '停止', restart: '重启', stopped: '已停止' },
);

interface ComponentsPanelProps {
  readonly components: TestingState['components'];
  readonly isBusy: boolean;
}

export function ComponentsPanel({ components, isBusy }: ComponentsPanelProps) {
  const unless = whileBusy(isBusy);
  return (
    <section class="panel" aria-labelledby="components-title">
      <div class="panel-head">
        <h2 id="components-title">{text().title}</h2>
        <span class="panel-note">{components.length}</span>
      </div>
      <ul class="test-list test-components">
        {components.map(({ name, running }) => (
          <li key={name}>
            <Dot tone={running ? 'ok' : 'bad'} />
            <span class="tool-note truncated" title={name}>
              {name}
              {!running && <span class="panel-note"> · {text().stopped}</span>}
            </span>
            {running && (
              <Button
                kind="quiet"
                icon="restart"
                label={`${text().restart} ${name}`}
                unless={unless}
                onPress={() => detach(act('POST', `components/${name}/restart`))}
              />
            )}
            <Button
              kind="quiet"
              icon={running ? 'pause' : 'play'}
              label={`${running ? text().stop : text().start} ${name}`}
              unless={unless}
              onPress={() => detach(act('POST', `components/${name}/${running ? 'stop' : 'start'}`))}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
