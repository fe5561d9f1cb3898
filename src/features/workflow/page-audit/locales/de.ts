import type { AuditTexts, Grade } from './en.ts'

const numbers = new Intl.NumberFormat('de')
const tenths = new Intl.NumberFormat('de', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** Formats an amount with its noun: "1 Bild hat", "7 Bilder haben". */
const count = (amount: number, one: string, more: string): string =>
  `${numbers.format(amount)} ${amount === 1 ? one : more}`

const sectionHeadings = {
  metadata: 'Metadaten',
  headings: 'Überschriften',
  accessibility: 'Barrierefreiheit',
  links: 'Links',
  'structured-data': 'Strukturierte Daten',
  social: 'Vorschau in sozialen Netzwerken',
  robots: 'Suchmaschinen',
  security: 'Sicherheit',
  weight: 'Seitengröße',
}

const severities = {
  critical: 'kritisch',
  high: 'hoch',
  medium: 'mittel',
  low: 'niedrig',
  info: 'Hinweis',
}

const GRADES: Readonly<Record<Grade, string>> = {
  excellent: 'ist in sehr gutem Zustand',
  good: 'ist in gutem Zustand, hat aber einige Mängel',
  fair: 'ist brauchbar, hat aber viele Mängel',
  poor: 'muss gründlich überarbeitet werden',
}

const formatProblems = (findings: number, serious: number): string => {
  if (findings === 0) return 'keine Probleme'
  const problems = count(findings, 'Problem', 'Probleme')
  return serious === 0
    ? `${problems}, keines davon schwerwiegend`
    : `${problems}, davon ${serious} schwerwiegend`
}

export const de: AuditTexts = {
  metadata: {
    title: {
      missing: 'Die Seite hat keinen Titel.',
      empty: 'Der Titel ist leer.',
      several: (titles) => `Die Seite hat ${titles} Titel; nur der erste zählt.`,
      short: (characters) => `Der Titel ist kurz: ${numbers.format(characters)} Zeichen.`,
      long: (characters) => `Der Titel ist lang: ${numbers.format(characters)} Zeichen.`,
      remedy: 'Schreibe einen einzigen Titel mit 10 bis 65 Zeichen, der sagt, worum es auf der Seite geht.',
    },
    description: {
      missing: 'Die Seite hat keine Beschreibung.',
      empty: 'Die Beschreibung ist leer.',
      short: (characters) => `Die Beschreibung ist kurz: ${numbers.format(characters)} Zeichen.`,
      long: (characters) => `Die Beschreibung ist lang: ${numbers.format(characters)} Zeichen.`,
      remedy:
        'Schreibe eine Beschreibung mit 50 bis 170 Zeichen. Suchmaschinen zeigen sie in den Ergebnissen.',
    },
    canonical: {
      missing: 'Die Seite hat keine kanonische URL.',
      several: 'Die Seite hat mehrere kanonische URLs.',
      invalid: 'Die kanonische URL ist ungültig.',
      remedy: 'Gib die kanonische URL an: <link rel="canonical" href="https://…">.',
      otherSite: (host) =>
        `Die kanonische URL gehört zu einer anderen Website, ${host}: Suchmaschinen zeigen dann jene Seite.`,
      otherSiteRemedy: 'Verweise auf diese Website, außer wenn Suchmaschinen die andere Seite zeigen sollen.',
    },
    charset: {
      undecodable: ({ characters, charset }) =>
        `${count(characters, 'Zeichen konnte', 'Zeichen konnten')} nicht als ${charset} gelesen werden: Die Seite verwendet eine andere Zeichenkodierung, als sie angibt.`,
      missing: 'Die Seite gibt ihre Zeichenkodierung nicht an.',
      remedy: 'Speichere die Seite als UTF-8 und gib das an: <meta charset="utf-8">.',
    },
    doctype: {
      text: 'Die Seite hat keinen Doctype. Browser zeigen sie deshalb im Quirks-Modus.',
      remedy: 'Beginne die Seite mit <!doctype html>.',
    },
    icon: {
      text: 'Die Seite hat kein Symbol.',
      remedy: 'Füge <link rel="icon" href="…"> hinzu. Tabs und Lesezeichen zeigen es.',
    },
  },
  social: {
    openGraph: {
      missing:
        'Die Seite hat keine Open-Graph-Angaben. Geteilte Links haben deshalb keine festgelegte Vorschau.',
      missingRemedy: 'Füge og:title, og:description, og:image, og:url und og:type hinzu.',
      incomplete: (properties) => `In den Angaben für die Vorschau fehlt: ${properties}.`,
      incompleteRemedy: (properties) => `Füge ${properties} hinzu.`,
    },
    cardImage: {
      text: 'Das Bild der Vorschau hat keine absolute URL. Die meisten Netzwerke zeigen es deshalb nicht.',
      remedy: (url) => `Verwende eine absolute URL, zum Beispiel ${url}.`,
    },
    twitterCard: {
      missing: 'Die Seite legt nicht fest, welche Art von Vorschau X zeigen soll.',
      missingRemedy: 'Füge <meta name="twitter:card" content="summary_large_image"> hinzu.',
      unknown: 'Die angegebene Art von Vorschau für X gibt es nicht.',
      unknownRemedy: 'Verwende summary oder summary_large_image.',
    },
  },
  headings: {
    missing: {
      text: 'Die Seite hat keine Überschriften.',
      remedy: 'Füge eine h1 für die Seite und eine h2 für jeden Abschnitt hinzu.',
    },
    noMain: {
      text: 'Die Seite hat keine Hauptüberschrift (h1).',
      remedy: 'Mache die Überschrift der Seite zur h1.',
    },
    severalMain: {
      text: (amount) => `Die Seite hat ${amount} Hauptüberschriften (h1).`,
      remedy: 'Behalte eine h1 und mache die anderen zu h2.',
    },
    empty: {
      text: (amount) => `${count(amount, 'Überschrift ist', 'Überschriften sind')} leer.`,
      remedy: 'Gib jeder Überschrift einen Text oder entferne sie.',
    },
    order: {
      text: (amount) =>
        `${count(amount, 'Überschrift überspringt', 'Überschriften überspringen')} eine Ebene.`,
      remedy: 'Gehe immer nur eine Ebene tiefer. Manche Menschen navigieren anhand der Überschriften.',
    },
    noMainLandmark: {
      text: 'Der Hauptinhalt der Seite ist nicht gekennzeichnet.',
      remedy: 'Setze den Hauptinhalt in <main>.',
    },
  },
  accessibility: {
    language: {
      missing: 'Die Seite gibt ihre Sprache nicht an.',
      invalid: 'Die angegebene Sprache ist kein gültiges Sprachkürzel.',
      remedy:
        'Gib sie am Wurzelelement an, zum Beispiel <html lang="de">, für Screenreader und Übersetzungen.',
    },
    viewport: {
      missing: 'Die Seite hat keinen Viewport. Handys zeigen sie deshalb als verkleinerte Desktop-Seite.',
      fixedWidth: 'Der Viewport richtet sich nicht nach der Breite des Geräts.',
      remedy: 'Füge <meta name="viewport" content="width=device-width, initial-scale=1"> hinzu.',
      noZoom: 'Die Seite verhindert das Zoomen.',
      noZoomRemedy: 'Entferne user-scalable und maximum-scale aus dem Viewport.',
    },
    imageAlternatives: {
      text: ({ bare, images }) =>
        `${numbers.format(bare)} von ${count(images, 'Bild', 'Bildern')} ${bare === 1 ? 'hat' : 'haben'} keinen Alternativtext.`,
      remedy: 'Beschreibe jedes Bild in alt. Verwende alt="" für Bilder, die nur schmücken.',
    },
    imageFileNames: {
      text: (images) => `${count(images, 'Bild hat', 'Bilder haben')} einen Dateinamen als Alternativtext.`,
      remedy: 'Beschreibe in Worten, was das Bild zeigt.',
    },
    formLabels: {
      text: ({ bare, fields }) =>
        `${numbers.format(bare)} von ${count(fields, 'Formularfeld', 'Formularfeldern')} ${bare === 1 ? 'hat' : 'haben'} keine Beschriftung.`,
      remedy:
        'Füge für jedes Feld ein <label for="…"> hinzu. Ein Platzhalter verschwindet, sobald jemand tippt.',
    },
    buttonNames: {
      text: (buttons) => `${count(buttons, 'Schaltfläche hat', 'Schaltflächen haben')} keinen Namen.`,
      remedy: 'Beschrifte jede Schaltfläche mit ihrer Aktion oder verwende aria-label.',
    },
    autocomplete: {
      text: (fields) =>
        `${count(fields, 'Feld', 'Felder')} für persönliche Daten kann der Browser nicht ausfüllen.`,
      remedy: 'Setze autocomplete, zum Beispiel auf email oder tel.',
    },
    frameTitles: {
      text: (frames) => `${count(frames, 'Frame hat', 'Frames haben')} keinen Titel.`,
      remedy: 'Beschreibe den Inhalt jedes Frames in title.',
    },
    repeatedIds: {
      text: (elements) =>
        `${count(elements, 'Element hat', 'Elemente haben')} eine id, die schon ein anderes Element hat.`,
      remedy: 'Verwende jede id nur einmal: Beschriftungen und Links finden nur die erste.',
    },
  },
  links: {
    names: {
      text: ({ nameless, links }) =>
        `${numbers.format(nameless)} von ${count(links, 'Link', 'Links')} ${nameless === 1 ? 'hat' : 'haben'} keinen Namen.`,
      remedy: 'Gib jedem Link einen Text oder seinem Bild einen Alternativtext.',
    },
    vague: {
      text: (amount) =>
        `${count(amount, 'Link hat', 'Links haben')} einen Text, der das Ziel nicht beschreibt.`,
      remedy: 'Beschreibe im Linktext das Ziel. In einer Liste von Links sagt „hier“ nichts aus.',
    },
    scripted: {
      text: (amount) =>
        `${count(amount, 'Link führt', 'Links führen')} ein Skript aus, statt eine Seite zu öffnen.`,
      remedy: 'Verwende eine Schaltfläche für Aktionen und eine URL für die Navigation.',
    },
    empty: {
      text: (amount) => `${count(amount, 'Link hat', 'Links haben')} kein Ziel.`,
      remedy: 'Gib jedem Link eine URL oder mache ihn zur Schaltfläche.',
    },
    broken: {
      text: (amount) => `${count(amount, 'Link hat', 'Links haben')} eine ungültige URL.`,
      remedy: 'Korrigiere die URL.',
    },
    insecure: {
      text: (amount) =>
        `${count(amount, 'Link führt', 'Links führen')} von einer verschlüsselten auf eine unverschlüsselte Seite.`,
      remedy: 'Verwende URLs mit https.',
    },
    none: {
      text: 'Die Seite hat keine Links.',
      remedy: 'Verlinke die Seiten, die jemand als Nächstes braucht.',
    },
  },
  structuredData: {
    alternatives: (properties) => properties.join(' oder '),
    missing: {
      text: 'Die Seite hat keine strukturierten Daten.',
      remedy:
        'Beschreibe die Seite in JSON-LD mit dem Vokabular von schema.org, zum Beispiel als Organization, Product oder Article.',
    },
    syntax: {
      text: ({ blocks, fault }) =>
        `${count(blocks, 'Block', 'Blöcke')} mit strukturierten Daten ${blocks === 1 ? 'ist' : 'sind'} kein gültiges JSON („${fault}“).`,
      remedy: 'Mache daraus gültiges JSON. Ein falsches Komma macht den ganzen Block unlesbar.',
    },
    context: {
      text: (blocks) => `${count(blocks, 'Block', 'Blöcke')} mit strukturierten Daten ohne Vokabular.`,
      remedy: 'Füge "@context": "https://schema.org" hinzu.',
    },
    type: {
      text: 'Die strukturierten Daten enthalten ein Element ohne Typ.',
      remedy: 'Gib jedem Element einen "@type".',
    },
    properties: {
      text: (properties) =>
        `In den strukturierten Daten fehlen Eigenschaften, die Suchmaschinen verlangen: ${properties}.`,
      remedy: (properties) => `Ergänze ${properties}.`,
    },
    microdata: (items) =>
      `Die Seite beschreibt ${count(items, 'Element', 'Elemente')} mit Mikrodaten oder RDFa.`,
  },
  robots: {
    noindex: {
      text: 'Die Seite verbietet Suchmaschinen, sie in den Index aufzunehmen.',
      remedy: 'Entferne noindex, außer wenn die Seite nicht in Suchergebnissen erscheinen darf.',
    },
    nofollow: {
      text: 'Die Seite verbietet Suchmaschinen, ihren Links zu folgen.',
      remedy: 'Entferne nofollow, damit Suchmaschinen die verlinkten Seiten finden.',
    },
    noindexHeader: {
      text: 'Der Server verbietet Suchmaschinen, die Seite in den Index aufzunehmen.',
      remedy:
        'Entferne noindex aus dem Header X-Robots-Tag, außer wenn die Seite nicht in Suchergebnissen erscheinen darf.',
    },
    noRobotsTxt: {
      text: 'Die Website hat keine robots.txt.',
      remedy: 'Füge eine hinzu, die die Sitemap nennt. Auch eine leere Datei genügt.',
    },
    disallow: {
      text: 'Die robots.txt sperrt diese Seite für Suchmaschinen.',
      remedy: 'Gib die Seite frei, außer wenn sie nicht in Suchergebnissen erscheinen darf.',
    },
    sitemap: {
      text: 'Die robots.txt nennt keine Sitemap.',
      remedy: 'Füge eine Zeile wie „Sitemap: https://example.com/sitemap.xml“ hinzu.',
    },
  },
  security: {
    https: {
      text: 'Die Seite ist nicht verschlüsselt.',
      remedy: 'Liefere die Seite über https aus und leite Anfragen über http dorthin weiter.',
    },
    mixedContent: {
      text: (resources) =>
        `${count(resources, 'Ressource wird', 'Ressourcen werden')} über http geladen (Mixed Content). Browser blockieren das.`,
      remedy: 'Lade alle Ressourcen über https.',
    },
    insecureForms: {
      text: (forms) => `${count(forms, 'Formular sendet', 'Formulare senden')} Daten unverschlüsselt.`,
      remedy: 'Sende Formulare an URLs mit https.',
    },
    scriptIntegrity: {
      text: (scripts) =>
        `${count(scripts, 'Skript wird', 'Skripte werden')} ohne Integritätsprüfung von einer anderen Website geladen.`,
      remedy: 'Ergänze integrity="sha384-…" oder stelle das Skript selbst bereit.',
    },
    transportSecurity: {
      text: 'Die Website erzwingt https nicht mit Strict-Transport-Security, oder nicht lange genug.',
      remedy: 'Sende Strict-Transport-Security: max-age=31536000; includeSubDomains.',
    },
    contentSecurityPolicy: {
      missing: 'Es gibt keine Content Security Policy.',
      reportOnly: 'Die Content Security Policy meldet Verstöße nur.',
      remedy:
        "Sende Content-Security-Policy, zunächst mit „default-src 'self'“. Sie blockiert eingeschleuste Skripte.",
      weak: 'Die Content Security Policy blockiert eingeschleuste Skripte nicht.',
      weakRemedy:
        'Liste die Quellen der Skripte in script-src auf, mit Nonces oder Hashes für Skripte in der Seite.',
    },
    contentTypeOptions: {
      text: 'Browser erraten Dateitypen und können sich dabei irren (MIME-Sniffing).',
      remedy: 'Sende X-Content-Type-Options: nosniff.',
    },
    framing: {
      text: 'Jede Website darf diese Seite in einen Frame einbetten (Clickjacking).',
      remedy: "Füge der Content Security Policy „frame-ancestors 'self'“ hinzu.",
    },
    referrerPolicy: {
      text: 'Die Website begrenzt nicht, welchen Referrer andere Websites erhalten.',
      remedy: 'Sende Referrer-Policy: strict-origin-when-cross-origin.',
    },
    cookies: {
      text: ({ cookies, attributes }) =>
        `${count(cookies, 'Cookie wird', 'Cookies werden')} ohne ${attributes} gesetzt.`,
      remedy: 'Setze Cookies mit Secure, HttpOnly und SameSite, außer wenn ein Skript sie lesen muss.',
    },
  },
  weight: {
    size: {
      text: (kilobytes) => `Das HTML der Seite ist ${numbers.format(kilobytes)} kB groß.`,
      remedy: 'Verschiebe Skripte, Stile und Daten in eigene Dateien und zeige weniger auf einmal.',
    },
    compression: {
      text: (kilobytes) => `Die Seite wird unkomprimiert gesendet: ${numbers.format(kilobytes)} kB.`,
      remedy: 'Komprimiere Text mit Brotli oder gzip.',
    },
    caching: {
      text: 'Die Antwort hat keine Header für den Cache.',
      remedy: 'Sende Cache-Control und dazu ETag oder Last-Modified.',
    },
    responseTime: {
      text: (seconds) => `Der Server begann erst nach ${tenths.format(seconds)} s mit der Antwort.`,
      remedy:
        'Speichere die Seite im Cache oder finde heraus, was sie verzögert. Ein guter Grenzwert ist 0,8 s.',
    },
    redirects: {
      text: (redirects) => `Die Seite wurde erst nach ${redirects} Weiterleitungen erreicht.`,
      remedy: 'Leite nur einmal weiter, direkt zur endgültigen URL.',
    },
    blockingScripts: {
      text: (scripts) => `${count(scripts, 'Skript blockiert', 'Skripte blockieren')} den Aufbau der Seite.`,
      remedy: 'Lade Skripte mit defer oder async.',
    },
    requests: {
      text: ({ scripts, sheets }) =>
        `Die Seite lädt ${count(scripts, 'Skript', 'Skripte')} und ${count(sheets, 'Stylesheet', 'Stylesheets')}.`,
      remedy: 'Fasse sie zusammen und entferne, was diese Seite nicht verwendet.',
    },
    inlineCode: {
      text: (kilobytes) =>
        `${numbers.format(kilobytes)} kB Skripte und Stile stehen in der Seite selbst. Browser können sie deshalb nicht im Cache speichern.`,
      remedy: 'Verschiebe sie in eigene Dateien.',
    },
    imageSizes: {
      text: (images) =>
        `${count(images, 'Bild hat', 'Bilder haben')} keine Breite und Höhe. Das Layout verschiebt sich deshalb beim Laden.`,
      remedy: 'Gib Bildern width und height.',
    },
    elements: {
      text: (elements) => `Die Seite hat ${numbers.format(elements)} Elemente.`,
      cut: (elements) =>
        `Die Seite hat mehr als ${numbers.format(elements)} Elemente. Der Rest wurde nicht geprüft.`,
      remedy: 'Zeige weniger auf einmal. Ab 1.500 Elementen wird jede Änderung langsam.',
    },
  },
  sectionHeadings,
  severities,
  report: {
    title: (name) => (name === null ? 'Website-Audit' : `Website-Audit von ${name}`),
    verdict: ({ name, grade, score, findings, serious }) =>
      `Die Seite${name === null ? '' : ` von ${name}`} ${GRADES[grade]}: ${score} von 100 Punkten, ${formatProblems(findings, serious)}.`,
    weakestSection: ({ heading, score }) =>
      `Der schwächste Bereich ist „${heading}“ mit ${count(score, 'Punkt', 'Punkten')}.`,
    fixFirst: (findings) => `Behebe zuerst: ${findings}`,
    neverFetched:
      'Die Seite wurde nicht abgerufen. Deshalb wurde ihre Auslieferung (Header, Komprimierung) nicht geprüft.',
    unknownFocus: (names) => `Es gibt keine Prüfung für: ${names}.`,
    explanation: ({ costs, sections, weights, score }) => {
      const bySeverity = costs.map(({ severity, points }) => `${severities[severity]} ${points}`).join(', ')
      const parts = sections.map((section) => `${section.heading} ${section.score} × ${section.weight}`)
      return (
        `Jeder Bereich beginnt mit 100 Punkten und verliert für jedes Problem Punkte nach dessen Schweregrad (${bySeverity}), bis höchstens auf 0. ` +
        `Die Punktzahl ist das gewichtete Mittel der Bereiche: (${parts.join(', ')}) ÷ ${weights} = ${score}, abgerundet.`
      )
    },
    page: (url) => `Seite: ${url}`,
    score: (score) => `Punktzahl: ${score} von 100`,
    columns: {
      section: 'Bereich',
      score: 'Punkte',
      weight: 'Gewicht',
    },
    noFindings: 'Keine Probleme.',
    recommendations: 'Empfehlungen',
  },
}
