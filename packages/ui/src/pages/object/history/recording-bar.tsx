/**
 * Starts and stops recording. Requests and reconciles are known only while a recording runs, if the server supports it.
 */

import { detach } from '@coxswain/apimachinery/detach.ts';
import { Button } from '../../../controls/button.tsx';
import { inLanguages } from '../../../language/language.ts';
import { canRecord, isRecording, recorded, startRecording, stopRecording } from '../../../work/recorder.ts';

const text = inLanguages(
  {
    start: 'Record',
    stop: 'Stop recording',
    why: 'A recording also shows the requests, reconciles and scheduling attempts from now on.',
    underWay: (count: number) => `Recording: ${count} requests and reconciles in the whole cluster so far`,
  },
  {
    start: '开始记录',
    stop: '停止记录',
    why: '开始记录后，还会显示此后的请求、协调和调度尝试。',
    underWay: (count: number) => `正在记录：整个集群目前有 ${count} 次请求和协调`,
  },
);

export function RecordingBar() {
  if (!canRecord()) return null;
  const isOn = isRecording();
  return (
    <div class="tool-bar history-tools">
      <span class="panel-note" role="status">
        {isOn ? text().underWay(recorded.value.length) : text().why}
      </span>
      <Button
        icon={isOn ? 'pause' : 'play'}
        onPress={() => detach(isOn ? stopRecording() : startRecording())}
      >
        {isOn ? text().stop : text().start}
      </Button>
    </div>
  );
}
