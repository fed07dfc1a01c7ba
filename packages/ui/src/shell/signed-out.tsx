import { Empty } from '../controls/notice.tsx';
import { inLanguages } from '../language/language.ts';

const text = inLanguages(
  {
    title: 'This browser is not signed in',
    how: 'Open the link that "coxswain up" or "coxswain ui" prints. A link works once; "coxswain ui" prints another.',
  },
  {
    title: '此浏览器尚未登录',
    how: '请打开 "coxswain up" 或 "coxswain ui" 打印的链接。每个链接只能使用一次；运行 "coxswain ui" 可获得新的链接。',
  },
);

export const SignedOut = () => (
  <main>
    <Empty title={text().title}>{text().how}</Empty>
  </main>
);
