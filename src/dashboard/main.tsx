// The dashboard begins here. It uses the public API of the server it came from, and nothing else.
import { render } from 'preact';
import { followLinks } from './address/router.ts';
import { findScreen } from './address/screens.ts';
import { Shell } from './shell/shell.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/frame.css';
import './style/parts.css';
import './style/table.css';
import './style/forms.css';
import './style/drawer.css';

followLinks((path) => findScreen(path) !== null);
render(<Shell />, document.getElementById('app')!);
