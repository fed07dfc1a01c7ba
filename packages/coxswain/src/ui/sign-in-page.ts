/** What a browser without a session gets: how to get one, in both languages of the page, without any other file. */

import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const style = `
:root { color-scheme: light dark; font: 15px/1.6 system-ui, sans-serif; }
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 16px; box-sizing: border-box; }
main { max-width: 32em; padding: 24px; border: 1px solid #8886; border-radius: 10px; }
h1 { margin: 0 0 8px; font-size: 20px; }
p { margin: 8px 0; }
code { white-space: nowrap; padding: 2px 6px; border-radius: 4px; background: #8883; }
`;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Coxswain</title>
<style>${style}</style>
<main>
<h1>This browser is not signed in</h1>
<p>Open this page with the link that <code>coxswain up</code> or <code>coxswain ui</code> prints. Each link works once; run <code>coxswain ui</code> for a new one.</p>
<p lang="zh">请用 <code>coxswain up</code> 或 <code>coxswain ui</code> 打印的链接打开此页。每个链接只能使用一次；运行 <code>coxswain ui</code> 可得到新的链接。</p>
</main>
</html>
`;

/** Only this style is applied, and nothing else is loaded. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function answerWithSignIn(response: ServerResponse): void {
  response.statusCode = 401;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', policy);
  response.end(page);
}
