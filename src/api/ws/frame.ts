// Text frames of a server, whole and unmasked (RFC 6455 §5.2). Built once per tick and written to every subscriber: one write per subscriber and tick,
// however many runs changed.

export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headLength = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + bytes);
  frame[0] = 0x81;
  if (headLength === 2) frame[1] = bytes;
  else if (headLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, headLength);
  return frame;
}
