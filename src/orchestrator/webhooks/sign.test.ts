import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { signedHeaders } from './sign.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const EVENT = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  at: new Date(1_614_265_330_000),
  body: '{"test": 2432232314}',
};

test('the signature is the one of the published test vector', () => {
  expect(signedHeaders([SECRET], EVENT)).toEqual({
    'webhook-id': EVENT.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('with two secrets a receiver that knows either is satisfied, one that knows neither is not', () => {
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = signedHeaders([other, SECRET], { ...EVENT, at: new Date() });
  for (const known of [SECRET, other])
    expect(new Webhook(known).verify(EVENT.body, headers)).toEqual({ test: 2_432_232_314 });
  const unknown = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
  expect(() => new Webhook(unknown).verify(EVENT.body, headers)).toThrow(/matching signature/);
  expect(() => new Webhook(SECRET).verify(`${EVENT.body} `, headers)).toThrow(/matching signature/);
});
