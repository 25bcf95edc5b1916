// The parts of undici that requests are sent with, without its index: that one loads fetch, WebSockets, caches and mocks too, which is 4 MB in every worker
// (bench/memory). Both files are the ones the index exports as `Agent` and `buildConnector`.
import type { Agent as AgentClass, buildConnector as BuildConnector } from 'undici';
import connect from 'undici/lib/core/connect.js';
import agent from 'undici/lib/dispatcher/agent.js';

export type Agent = AgentClass;
export const Agent: typeof AgentClass = agent;
export const buildConnector: typeof BuildConnector = connect;
