// The settings in force, to read. They are changed in the environment or the settings file.
import { z } from 'zod';
import type { Needs } from '../deps.ts';
import { json, type Route, route } from '../http/route.ts';
import { nameSchemas } from '../validation/named.ts';

const SettingView = z.object({
  name: z.string().meta({ description: 'Its variable.' }),
  value: z.string().nullable().meta({ description: 'As text; `***` if it is secret, null if it is not set.' }),
  is_default: z.boolean(),
  about: z.string(),
});
const TopicView = z.object({ topic: z.string(), settings: z.array(SettingView) });
nameSchemas({ Setting: SettingView, SettingTopic: TopicView });

/** Of this process: others of a fleet may have others. */
export type SettingTopics = z.infer<typeof TopicView>[];

const EXAMPLE = {
  name: 'WEB_ROBOTS',
  value: 'on',
  is_default: true,
  about: 'Whether robots.txt is obeyed: on, off, or off for the named sources.',
};

export const settings = ({ settings: topics }: Needs<object, 'settings'>): Route[] => [
  route({
    method: 'GET',
    path: '/settings',
    operationId: 'listSettings',
    scope: 'admin',
    tag: 'Operations',
    summary: 'List the settings in force in this process, secrets masked',
    replies: {
      200: json('The settings by topic.', z.object({ topics: z.array(TopicView) }), {
        topics: [{ topic: 'The web', settings: [EXAMPLE] }],
      }),
    },
    handle: async () => ({ topics }),
  }),
];
