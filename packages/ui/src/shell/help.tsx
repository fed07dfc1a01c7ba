import { signal } from '@preact/signals';
import { Dialog } from '../controls/dialog.tsx';
import { inLanguages } from '../language/language.ts';
import './help.css';

export const isHelpOpen = signal(false);

const text = inLanguages(
  {
    title: 'Keyboard',
    keys: [
      ['/', 'Search objects and pages, or filter the list that is shown'],
      [':', 'Go to a kind'],
      ['?', 'This help'],
      ['g o', 'Overview'],
      ['g s', 'Scheduler'],
      ['g a', 'Access'],
      ['g p', 'Pods'],
      ['g d', 'Deployments'],
      ['g n', 'Nodes'],
      ['g e', 'Events'],
      ['j k', 'Next and previous row'],
      ['← →', 'Step through the history of an object'],
      ['x', 'Select the row'],
      ['Enter', 'Open the row'],
      ['Esc', 'Close, or clear the selection'],
      ['c', 'Create objects'],
      ['t', 'Switch between light, dark and system colours'],
    ],
  },
  {
    title: '键盘',
    keys: [
      ['/', '搜索对象和页面，或过滤当前列表'],
      [':', '前往某个类型'],
      ['?', '显示本帮助'],
      ['g o', '概览'],
      ['g s', '调度'],
      ['g a', '权限'],
      ['g p', 'Pod'],
      ['g d', 'Deployment'],
      ['g n', '节点'],
      ['g e', '事件'],
      ['j k', '下一行和上一行'],
      ['← →', '回退或前进对象的历史'],
      ['x', '选中该行'],
      ['Enter', '打开该行'],
      ['Esc', '关闭，或清除选择'],
      ['c', '创建对象'],
      ['t', '浅色、深色、跟随系统'],
    ],
  },
);

export const Help = () =>
  isHelpOpen.value ? (
    <Dialog title={text().title} onClose={() => (isHelpOpen.value = false)}>
      <dl class="help-keys">
        {text().keys.map(([keys = '', does]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  ) : null;
