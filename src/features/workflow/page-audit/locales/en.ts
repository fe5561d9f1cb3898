import type { SectionKey, Severity } from '../page.ts'

/** Formats an amount with its noun: "1 image has", "7 images have". */
const count = (amount: number, one: string, more: string): string => `${amount} ${amount === 1 ? one : more}`

const metadata = {
  title: {
    missing: 'The page has no title.',
    empty: 'The title is empty.',
    several: (titles: number) => `The page has ${titles} titles; only the first counts.`,
    short: (characters: number) => `The title is short: ${count(characters, 'character', 'characters')}.`,
    long: (characters: number) => `The title is long: ${count(characters, 'character', 'characters')}.`,
    remedy: 'Write one title of 10 to 65 characters that says what this page is about.',
  },
  description: {
    missing: 'The page has no description.',
    empty: 'The description is empty.',
    short: (characters: number) =>
      `The description is short: ${count(characters, 'character', 'characters')}.`,
    long: (characters: number) => `The description is long: ${count(characters, 'character', 'characters')}.`,
    remedy: 'Write a description of 50 to 170 characters. Search results show it.',
  },
  canonical: {
    missing: 'The page has no canonical URL.',
    several: 'The page has several canonical URLs.',
    invalid: 'The canonical URL is not valid.',
    remedy: 'Declare the canonical URL: <link rel="canonical" href="https://…">.',
    otherSite: (host: string) =>
      `The canonical URL is on another site, ${host}: search engines will show that one.`,
    otherSiteRemedy: 'Point it to this site, unless search engines should show the other page.',
  },
  charset: {
    undecodable: ({ characters, charset }: { characters: number; charset: string }) =>
      `${count(characters, 'character', 'characters')} could not be decoded as ${charset}: the page uses another encoding than it declares.`,
    missing: 'The page does not declare its encoding.',
    remedy: 'Save the page as UTF-8 and declare it: <meta charset="utf-8">.',
  },
  doctype: {
    text: 'The page has no doctype, so browsers show it in quirks mode.',
    remedy: 'Start the page with <!doctype html>.',
  },
  icon: {
    text: 'The page has no icon.',
    remedy: 'Add <link rel="icon" href="…">. Tabs and bookmarks show it.',
  },
}

const social = {
  openGraph: {
    missing: 'The page has no social card (Open Graph), so shared links have no defined preview.',
    missingRemedy: 'Add og:title, og:description, og:image, og:url and og:type.',
    incomplete: (properties: string) => `The social card lacks ${properties}.`,
    incompleteRemedy: (properties: string) => `Add ${properties}.`,
  },
  cardImage: {
    text: 'The image of the social card has no absolute URL, so most networks will not show it.',
    remedy: (url: string) => `Use an absolute URL, such as ${url}.`,
  },
  twitterCard: {
    missing: 'The page does not declare a card type for X.',
    missingRemedy: 'Add <meta name="twitter:card" content="summary_large_image">.',
    unknown: 'The card type for X does not exist.',
    unknownRemedy: 'Use summary or summary_large_image.',
  },
}

const headings = {
  missing: {
    text: 'The page has no headings.',
    remedy: 'Add one h1 for the page and an h2 for each section.',
  },
  noMain: {
    text: 'The page has no main heading (h1).',
    remedy: 'Make the heading of the page an h1.',
  },
  severalMain: {
    text: (amount: number) => `The page has ${amount} main headings (h1).`,
    remedy: 'Keep one h1; make the others h2.',
  },
  empty: {
    text: (amount: number) => `${count(amount, 'heading is', 'headings are')} empty.`,
    remedy: 'Give each heading a text, or remove it.',
  },
  order: {
    text: (amount: number) => `${count(amount, 'heading skips', 'headings skip')} a level.`,
    remedy: 'Go down one level at a time, for people who navigate by headings.',
  },
  noMainLandmark: {
    text: 'The page has no main landmark.',
    remedy: 'Put the main content into <main>.',
  },
}

const accessibility = {
  language: {
    missing: 'The page does not declare its language.',
    invalid: 'The declared language is not a valid language tag.',
    remedy: 'Declare it on the root element, such as <html lang="en">, for screen readers and translation.',
  },
  viewport: {
    missing: 'The page has no viewport, so phones show it as a shrunken desktop page.',
    fixedWidth: 'The viewport does not follow the width of the device.',
    remedy: 'Add <meta name="viewport" content="width=device-width, initial-scale=1">.',
    noZoom: 'The page prevents zooming.',
    noZoomRemedy: 'Remove user-scalable and maximum-scale from the viewport.',
  },
  imageAlternatives: {
    text: ({ bare, images }: { bare: number; images: number }) =>
      `${bare} of ${count(images, 'image has', 'images have')} no alternative text.`,
    remedy: 'Describe each image in alt; use alt="" for decorative images.',
  },
  imageFileNames: {
    text: (images: number) => `${count(images, 'image has', 'images have')} a file name as alternative text.`,
    remedy: 'Describe in words what the image shows.',
  },
  formLabels: {
    text: ({ bare, fields }: { bare: number; fields: number }) =>
      `${bare} of ${count(fields, 'form field has', 'form fields have')} no label.`,
    remedy: 'Add a <label for="…"> for each field; a placeholder disappears when the user types.',
  },
  buttonNames: {
    text: (buttons: number) => `${count(buttons, 'button has', 'buttons have')} no name.`,
    remedy: 'Label each button with its action, or use aria-label.',
  },
  autocomplete: {
    text: (fields: number) =>
      `${count(fields, 'field', 'fields')} for personal data cannot be filled in by the browser.`,
    remedy: 'Set autocomplete, for example to email or tel.',
  },
  frameTitles: {
    text: (frames: number) => `${count(frames, 'frame has', 'frames have')} no title.`,
    remedy: 'Describe the content of each frame in title.',
  },
  repeatedIds: {
    text: (elements: number) =>
      `${count(elements, 'element has', 'elements have')} an id that another element already has.`,
    remedy: 'Use each id once: labels and links find only the first.',
  },
}

const links = {
  names: {
    text: ({ nameless, links: amount }: { nameless: number; links: number }) =>
      `${nameless} of ${count(amount, 'link has', 'links have')} no name.`,
    remedy: 'Give each link a text, or its image an alternative text.',
  },
  vague: {
    text: (amount: number) =>
      `${count(amount, 'link has', 'links have')} a text that does not describe the target.`,
    remedy: 'Describe the target in the link text; “here” means nothing in a list of links.',
  },
  scripted: {
    text: (amount: number) =>
      `${count(amount, 'link runs', 'links run')} a script instead of opening a page.`,
    remedy: 'Use a button for an action and a URL for navigation.',
  },
  empty: {
    text: (amount: number) => `${count(amount, 'link has', 'links have')} no target.`,
    remedy: 'Give each link a URL, or make it a button.',
  },
  broken: {
    text: (amount: number) => `${count(amount, 'link has', 'links have')} an invalid URL.`,
    remedy: 'Correct the URL.',
  },
  insecure: {
    text: (amount: number) =>
      `${count(amount, 'link leads', 'links lead')} from an encrypted page to an unencrypted one.`,
    remedy: 'Use https URLs.',
  },
  none: {
    text: 'The page has no links.',
    remedy: 'Link to the pages that a reader needs next.',
  },
}

const structuredData = {
  /** Properties of which a type needs at least one. */
  alternatives: (properties: readonly string[]) => properties.join(' or '),
  missing: {
    text: 'The page has no structured data.',
    remedy:
      'Describe the page in JSON-LD with the schema.org vocabulary, for example as Organization, Product or Article.',
  },
  syntax: {
    text: ({ blocks, fault }: { blocks: number; fault: string }) =>
      `${count(blocks, 'block', 'blocks')} of structured data cannot be parsed: ${fault}.`,
    remedy: 'Make it valid JSON; one wrong comma makes the whole block unreadable.',
  },
  context: {
    text: (blocks: number) => `${count(blocks, 'block', 'blocks')} of structured data without a vocabulary.`,
    remedy: 'Add "@context": "https://schema.org".',
  },
  type: {
    text: 'Structured data contains an item without a type.',
    remedy: 'Give each item an "@type".',
  },
  properties: {
    text: (properties: string) =>
      `Structured data lacks properties that search engines require: ${properties}.`,
    remedy: (properties: string) => `Add ${properties}.`,
  },
  microdata: (items: number) => `The page describes ${count(items, 'item', 'items')} with microdata or RDFa.`,
}

const robots = {
  noindex: {
    text: 'The page tells search engines not to index it.',
    remedy: 'Remove noindex, unless the page must not appear in search results.',
  },
  nofollow: {
    text: 'The page tells search engines not to follow its links.',
    remedy: 'Remove nofollow, so that search engines find the linked pages.',
  },
  noindexHeader: {
    text: 'The server tells search engines not to index the page.',
    remedy: 'Remove noindex from the X-Robots-Tag header, unless the page must not appear in search results.',
  },
  noRobotsTxt: {
    text: 'The site has no robots.txt.',
    remedy: 'Add one that names the sitemap. An empty file is fine too.',
  },
  disallow: {
    text: 'robots.txt blocks search engines from this page.',
    remedy: 'Allow the page, unless it must not appear in search results.',
  },
  sitemap: {
    text: 'robots.txt names no sitemap.',
    remedy: 'Add a line such as “Sitemap: https://example.com/sitemap.xml”.',
  },
}

const security = {
  https: {
    text: 'The page is not encrypted.',
    remedy: 'Serve the page over https and redirect http requests to it.',
  },
  mixedContent: {
    text: (resources: number) =>
      `${count(resources, 'resource is', 'resources are')} loaded over http (mixed content); browsers block them.`,
    remedy: 'Load all resources over https.',
  },
  insecureForms: {
    text: (forms: number) => `${count(forms, 'form sends', 'forms send')} data without encryption.`,
    remedy: 'Submit forms to https URLs.',
  },
  scriptIntegrity: {
    text: (scripts: number) =>
      `${count(scripts, 'script is', 'scripts are')} loaded from another site without an integrity check.`,
    remedy: 'Add integrity="sha384-…", or serve the script yourself.',
  },
  transportSecurity: {
    text: 'The site does not enforce https with Strict-Transport-Security, or not for long enough.',
    remedy: 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.',
  },
  contentSecurityPolicy: {
    missing: 'There is no content security policy.',
    reportOnly: 'The content security policy only reports violations.',
    remedy: "Send Content-Security-Policy, at first “default-src 'self'”. It blocks injected scripts.",
    weak: 'The content security policy does not block injected scripts.',
    weakRemedy: 'List the script sources in script-src, with nonces or hashes for inline scripts.',
  },
  contentTypeOptions: {
    text: 'Browsers may guess wrong file types (MIME sniffing).',
    remedy: 'Send X-Content-Type-Options: nosniff.',
  },
  framing: {
    text: 'Any site may embed this page in a frame (clickjacking).',
    remedy: "Add “frame-ancestors 'self'” to the content security policy.",
  },
  referrerPolicy: {
    text: 'The site does not limit the referrer that other sites receive.',
    remedy: 'Send Referrer-Policy: strict-origin-when-cross-origin.',
  },
  cookies: {
    text: ({ cookies, attributes }: { cookies: number; attributes: string }) =>
      `${count(cookies, 'cookie is', 'cookies are')} set without ${attributes}.`,
    remedy: 'Set cookies with Secure, HttpOnly and SameSite, unless a script has to read them.',
  },
}

const weight = {
  size: {
    text: (kilobytes: number) => `The HTML of the page has a size of ${kilobytes} kB.`,
    remedy: 'Move scripts, styles and data into separate files, and show less at once.',
  },
  compression: {
    text: (kilobytes: number) => `The page is sent uncompressed: ${kilobytes} kB.`,
    remedy: 'Compress text with Brotli or gzip.',
  },
  caching: {
    text: 'The response has no caching headers.',
    remedy: 'Send Cache-Control, and an ETag or Last-Modified.',
  },
  responseTime: {
    text: (seconds: number) => `The server took ${seconds.toFixed(1)} s to start its response.`,
    remedy: 'Cache the page, or find out what delays it. A good limit is 0.8 s.',
  },
  redirects: {
    text: (redirects: number) => `The page was reached after ${redirects} redirects.`,
    remedy: 'Redirect once, directly to the final URL.',
  },
  blockingScripts: {
    text: (scripts: number) =>
      `${count(scripts, 'script blocks', 'scripts block')} the rendering of the page.`,
    remedy: 'Load scripts with defer or async.',
  },
  requests: {
    text: ({ scripts, sheets }: { scripts: number; sheets: number }) =>
      `The page loads ${count(scripts, 'script', 'scripts')} and ${count(sheets, 'stylesheet', 'stylesheets')}.`,
    remedy: 'Bundle them, and remove what this page does not use.',
  },
  inlineCode: {
    text: (kilobytes: number) =>
      `${kilobytes} kB of scripts and styles are inline, so browsers cannot cache them.`,
    remedy: 'Move them into separate files.',
  },
  imageSizes: {
    text: (images: number) =>
      `${count(images, 'image has', 'images have')} no width and height, so the layout shifts while the page loads.`,
    remedy: 'Give images width and height.',
  },
  elements: {
    text: (elements: number) => `The page has ${elements} elements.`,
    cut: (elements: number) => `The page has more than ${elements} elements; the rest was not checked.`,
    remedy: 'Show less at once; above 1,500 elements every change becomes slow.',
  },
}

export type Grade = 'excellent' | 'good' | 'fair' | 'poor'

interface VerdictFacts {
  /** The company, host or title; null if none is known. */
  name: string | null
  grade: Grade
  score: number
  findings: number
  serious: number
}

interface ScoreFacts {
  /** Points that a finding costs, by severity. */
  costs: readonly { severity: Severity; points: number }[]
  sections: readonly { heading: string; score: number; weight: number }[]
  /** Sum of the weights. */
  weights: number
  score: number
}

const sectionHeadings = {
  metadata: 'Metadata',
  headings: 'Headings and structure',
  accessibility: 'Accessibility',
  links: 'Links',
  'structured-data': 'Structured data',
  social: 'Social cards',
  robots: 'Search engines',
  security: 'Security',
  weight: 'Weight and delivery',
} satisfies Record<SectionKey, string>

const severities = {
  critical: 'critical',
  high: 'high',
  medium: 'medium',
  low: 'low',
  info: 'info',
} satisfies Record<Severity, string>

const GRADES: Readonly<Record<Grade, string>> = {
  excellent: 'in very good shape',
  good: 'in good shape, with some things to fix',
  fair: 'usable, with much to fix',
  poor: 'in need of major work',
}

const report = {
  title: (name: string | null) => `Digital audit of ${name ?? 'the page'}`,
  verdict: ({ name, grade, score, findings, serious }: VerdictFacts) =>
    `The page${name === null ? '' : ` of ${name}`} is ${GRADES[grade]}: ${score} of 100 points, ${count(findings, 'finding', 'findings')}, ${serious} of them serious.`,
  weakestSection: ({ heading, score }: { heading: string; score: number }) =>
    `The weakest section is ${heading} with ${score} points.`,
  fixFirst: (findings: string) => `Fix first: ${findings}`,
  neverFetched: 'The page was not fetched, so its delivery (headers, compression) was not checked.',
  unknownFocus: (names: string) => `There is no check for: ${names}.`,
  explanation: ({ costs, sections, weights, score }: ScoreFacts) => {
    const bySeverity = costs.map(({ severity, points }) => `${severities[severity]} ${points}`).join(', ')
    const parts = sections.map((section) => `${section.heading} ${section.score} × ${section.weight}`)
    return (
      `Each section starts with 100 points and loses points for each finding by its severity (${bySeverity}), down to 0. ` +
      `The score is the weighted mean of the sections: (${parts.join(', ')}) ÷ ${weights} = ${score}, rounded down.`
    )
  },
  page: (url: string) => `Page: ${url}`,
  score: (score: number) => `Score: ${score} of 100`,
  columns: {
    section: 'Section',
    score: 'Score',
    weight: 'Weight',
  },
  noFindings: 'No findings.',
  recommendations: 'Recommendations',
}

/** The texts of an audit report, in the language of its reader. */
export const en = {
  metadata,
  social,
  headings,
  accessibility,
  links,
  structuredData,
  robots,
  security,
  weight,
  sectionHeadings,
  severities,
  report,
}

export type AuditTexts = typeof en
