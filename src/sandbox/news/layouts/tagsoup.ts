// A paper whose templates were never finished: upper-case tags, attributes without quotes, paragraphs and list items nobody closes,
// bold and italic crossed over, stray end tags, bare ampersands. Browsers show it well, so extractors must as well.
import { byline, displayDate, esc, headlineLinks, type Layout, navLinks } from '../markup.ts';

/** This site escapes nothing but `<`, which would swallow the text. */
const raw = (text: string) => text.replaceAll('<', '&lt;');
const attribute = (text: string) => text.replaceAll('"', '&quot;');

export const tagsoup: Layout = ({ article, origin, related }) => {
  const body = article.blocks.map((block, index) => {
    if (block.kind === 'paragraph') {
      const text = raw(block.text);
      if (index % 5 !== 3) return `<P>${text}\n`;
      const space = text.indexOf(' ', 20);
      return `<P ALIGN=left><B><I>${text.slice(0, space)}</B></I>${text.slice(space)}</SPAN>\n`;
    }
    if (block.kind === 'heading') return `<H3><FONT COLOR=#333333>${raw(block.text)}</H3></FONT>\n`;
    if (block.kind === 'quote') return `<BLOCKQUOTE><P>${raw(block.text)}</BLOCKQUOTE>\n`;
    if (block.kind === 'list') return `<UL>${block.items.map((item) => `<LI>${raw(item)}`).join('\n')}</UL>\n`;
    return `<CENTER><IMG SRC=${origin}${block.src} BORDER=0><BR><SMALL>${raw(block.caption)} ${raw(block.credit)}</SMALL></CENTER>\n`;
  });
  return `<HTML>
<HEAD>
<TITLE>${raw(article.title)}</TITLE>
<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=utf-8">
<META NAME=author CONTENT="${attribute(article.author)}">
<META NAME=date CONTENT=${article.publishedAt.slice(0, 10)}>
<META NAME=description CONTENT="${attribute(article.standfirst)}">
<LINK REL=canonical HREF=${origin}${esc(article.path)}>
</HEAD>
<BODY BGCOLOR=white>
<DIV ID=menu><UL>${navLinks(article, origin).replaceAll('</li>', '').replaceAll('"', '')}</UL>
</DIV>
<DIV ID=main>
<H1>${raw(article.title)}</H1>
<DIV CLASS=credits>${byline(article)}<BR>${displayDate(article)}</DIV>
<DIV CLASS=story ID=main>
${body.join('')}</DIV>
<HR>
<DIV CLASS=related><UL>${headlineLinks(related, origin).replaceAll('</li>', '')}</UL>
<P>Copyright ${raw(article.site.name)}
</BODY>
`;
};
