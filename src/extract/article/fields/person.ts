// Whether a text can be the name of a person, and what stands around names that is none.
const WORD = String.raw`\p{Lu}[\p{L}\p{M}'’.-]{0,19}`;
const PARTICLE = `(?:van|von|der|den|de|del|della|di|da|do|dos|das|du|la|le|el|al|bin|ibn|ben|zu|zur|af|ter|ten|y|e|und|and|&)`;
const TITLE = String.raw`(?:(?:Dr|Prof|Mr|Mrs|Ms|Sir|Dame|Rev|Mag|Dipl|Ing|Herr|Frau)\.?(?:-Ing\.)?\s){0,3}`;
const PERSON = new RegExp(`^${TITLE}${WORD}(?:\\s(?:${PARTICLE}\\s){0,2}${WORD}){1,4}$`, 'u');
const NOT_PERSONS =
  /(?<!\p{L})(?:team|staff|editors?|editorial|redaktion|redaction|redacción|redazione|news|desk|agency|press|inc|llc|gmbh|ltd|corp|university|institute|department|office|foundation|association|magazine|blog|guide|reviews?|marketing|the|this|your|our|how|what|why|best|top|new|home|about|contact|sign|log|read|more|view|share|follow|subscribe|comments?|posts?|articles?|updated?|published|min|minutes?|january|february|march|april|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|table|contents?|key|takeaways?|introduction|overview|summary|advertisement|photo|image|video|podcast|products?|services?|solutions?|learn|get|start|free|online|digital|business|technology|health|science|politics|sports?|opinion|use|case|cases|study|experts?|culture|world|education|finance|travel|food|life|style)(?!\p{L})/iu;
const MAX_PERSON_CHARS = 60;

/** Two words or more that begin like names, and none that names do not have: strict, for texts that nothing marks as an author. */
export const looksLikePerson = (text: string): boolean =>
  text.length <= MAX_PERSON_CHARS && PERSON.test(text) && !NOT_PERSONS.test(text);
