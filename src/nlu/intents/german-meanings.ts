/** German words by their English meaning: grammar, times, and the things of the assistant. */
export const MEANINGS = `
i: ich
me: mir mich
my: mein meine meinen meinem meiner meines
you: du dich dir ihr euch sie ihnen
your: dein deine deinen deinem deiner
we: wir
us: uns
our: unser unsere unseren unserem unserer
he: er
it: es
him: ihm ihn
her: ihre ihren ihrem ihrer
the: der die das den dem des
a: ein eine einen einem einer eines
this: dies diese diesen diesem dieser dieses
that: dass jene jenen jener
and: und
or: oder
but: aber
not: nicht
no: kein keine keinen keinem keiner nein
yes: ja
with: mit
from: von vom aus
to: zu zum zur nach
for: für fürs
about: über wegen bezüglich
at: um beim bei
on: auf am aufs
in: im ins
by: bis per
until: noch
before: vor
after: danach
between: zwischen
without: ohne
of: davon
again: wieder nochmal erneut
off: ab
up: auf
out: raus heraus
also: auch
still: weiterhin
only: nur
already: schon bereits
than: als
if: ob wenn falls
because: weil
what: was welche welcher welches welchen welchem
who: wer
whom: wem wen
when: wann
where: wo wohin
how: wie
why: warum wieso weshalb
which: wessen
is: ist
are: sind seid bist
am: bin
was: war waren
have: habe hab haben
has: hat
had: hatte hatten
do: tu tun mache mach machen macht
can: kann kannst können könnt
could: könnte könntest
would: würde würdest
should: soll sollte sollen
must: muss müssen musst
need: brauche brauchst braucht benötige
want: will möchte willst wollen wollte
like: gerne gern mag gefällt
please: bitte
thanks: danke dankeschön
hello: hallo moin
there: dort da
here: hier
all: alle alles allen aller sämtliche
every: jeden jede jedes jeder jeweils
any: irgendwelche irgendein irgendwas irgendeine
something: etwas
anything: irgendetwas
someone: jemand
many: viele
much: viel
more: mehr
first: erste ersten erstes
next: nächste nächsten nächster nächstes kommende kommenden
last: letzte letzten letztes letzter zuletzt
new: neu neue neuen neues neuer
old: alt alte alten
other: andere anderen
long: lange lang
good: gut gute guten
important: wichtig wichtige wichtigen wichtigsten wichtigste
urgent: dringend dringende dringenden
high: hoch hohe hoher hohen
low: niedrig niedrige niedriger
today: heute heutige heutigen
tomorrow: morgen morgige morgigen
yesterday: gestern
tonight: abends
now: jetzt gerade
later: später
earlier: früher
soon: bald
day: tag tage tagen tages
week: woche wochen
weekend: wochenende
month: monat monate monats
year: jahr jahre jahres
morning: vormittag früh morgens
afternoon: nachmittag nachmittags
evening: abend
night: nacht
noon: mittag mittags
hour: stunde stunden
minutes: minute minuten
o'clock: uhr
half: halb halbe halben
monday: montag montags montagvormittag
tuesday: dienstag dienstags
wednesday: mittwoch mittwochs
thursday: donnerstag donnerstags donnerstagnachmittag
friday: freitag freitags freitagabend
saturday: samstag samstags sonnabend
sunday: sonntag sonntags
january: januar
february: februar
march: märz
may: mai
june: juni
july: juli
october: oktober
december: dezember
weekly: wöchentlich wöchentliche wöchentlichen
daily: täglich tägliche
date: datum wievielte
weekday: wochentag
time: zeit uhrzeit
timezone: zeitzone
christmas: weihnachten
easter: ostern
two: zwei
three: drei
ten: zehn
one: eins
calendar: kalender terminkalender
appointment: termin termine terminen serientermin
meeting: besprechung besprechungen treffen sitzung runde planungsrunde teamrunde meeting meetings
event: ereignis veranstaltung veranstaltungen
call: anruf telefonat anrufen anrufe ruf rufen telefoniere videokonferenz zurückrufen
lunch: mittagessen
dinner: abendessen familienessen
breakfast: frühstück
coffee: kaffee
birthday: geburtstag
party: feier weihnachtsfeier
vacation: urlaub ferien
trip: reise ausflug betriebsausflug
dentist: zahnarzt
doctor: arzt hausarzt ärztin
hairdresser: friseur
interview: vorstellungsgespräch
conversation: gespräch
course: kurs training unterricht
conference: konferenz tagung
room: raum besprechungsraum konferenzraum zimmer
schedule: plane plan planen vereinbare vereinbaren ansetzen anberaumen einplanen verabrede
book: buche buchen
reserve: reserviere reservieren
block: blocker blockiere blocke blockieren block
enter: trag trage eintragen eintrag
create: erstelle erstell erstellen anlegen richte einrichten
put: leg lege legen setz setze setzen pack packe stell stelle
add: füge füg hinzu hinzufügen ergänze
make: mache
invite: lade einladen lad einladung
planned: geplant vor
move: verschiebe verschieb verschieben schieb schiebe verlege verlegen zieh
postpone: zurückstellen aufschieben
cancel: absagen storniere stornieren cancel cancele
delete: lösche lösch löschen
remove: entferne entfernen streiche streich streichen 
rename: benenne umbenennen
change: ändere ändern änder
extend: verlängere verlängern
shorten: verkürze verkürzen kürze
title: titel
location: ort
happen: stattfinden findet statt fällt steht ansteht anstehen liegt
free: frei freie freien freier verfügbar
slot: lücke zeitfenster
busy: beschäftigt voll
meet: treffe
begin: beginnt beginne startet anfangen
end: endet ende
show: zeig zeige zeigen anzeigen
tell: sag sage sagen nenn nenne mitteilen
list: liste auflisten
look: nachsehen schau schaue sieh sieht
find: finde find finden
search: suche such suchen durchsuche
check: prüfe check
read: lies lese lesen vorlesen gelesen
give: gib
task: aufgabe aufgaben
todo: to-do todo
reminder: erinnerung erinnerungen
remind: erinnere erinner erinnern
remember: merke merk denk vergiss vergessen
note: notiere notier notiz notieren
shopping: einkaufs einkauf einkaufen
groceries: einkaufszettel
shoppinglist: einkaufsliste
todolist: aufgabenliste to-do-liste todoliste
packinglist: packliste
milk: milch
bread: brot
eggs: eier ei
butter: butter
cheese: käse
tomatoes: tomaten
pay: zahlen zahle bezahlen bezahle überweisen
rent: miete
buy: kaufen kauf kaufe besorgen besorge
pick: abholen hole holen hol
clean: putzen reinigen aufräumen räume
repair: reparieren
wash: waschen wäsche
water: gießen
plants: pflanzen
flowers: blumen
garbage: müll mülltonne
bill: rechnung rechnungen stromrechnung
tax: steuer steuern steuererklärung finanzamt
report: bericht
presentation: präsentation
contract: vertrag
offer: angebot
parcel: paket
gift: geschenk
prepare: vorbereiten
submit: abgeben
finish: erledigen fertig
done: erledigt abgeschlossen geschafft gemacht
mark: markiere markieren kennzeichne hak hake häkchen
priority: priorität
due: fällig fälligkeit
overdue: überfällig überfällige überfälligen
open: offen offene offenen öffne öffnen
completed: erledigte erledigten
clear: leere leeren
start: starte starten anfang beginn
work: arbeit arbeiten
email: mail mails e-mail e-mails email emails
mail: post
message: nachricht nachrichten
inbox: posteingang postfach
newsletter: newsletter
spam: spam werbung
attachment: anhang
subject: betreff
unread: ungelesen ungelesene ungelesenen
archive: archiviere archiv archivieren
star: stern
tag: tagge
trash: papierkorb
unsubscribe: abbestellen abmelden melde
write: schreib schreibe schreiben schreibt geschrieben verfasse formuliere entwirf
draft: entwurf
answer: antworte antworten antwort beantworte beantworten beantwortet
reply: geantwortet gemeldet
send: sende schick schicke schicken senden
forward: leite weiterleiten weiter
sender: absender
waiting: wartet warten
summarize: zusammenfassen fasse fass zusammen
received: bekommen erhalten gekommen kam
boss: chef chefin
mother: mutter mama oma
father: vater papa
sister: schwester
friend: freund freundin
team: team kollegen
overview: überblick übersicht tagesüberblick
briefing: morgenbriefing lagebericht
statistics: statistik
missed: verpasst
attention: aufmerksamkeit
count: zähl zähle anzahl
promised: versprochen
weather: wetter
temperature: temperatur grad
rain: regen regnen regnet regenschirm
sun: sonne
music: musik
song: lied titel song
play: spiel spiele spielen abspielen wiedergabe
radio: radio
podcast: podcast
audiobook: hörbuch
playlist: playlist
volume: lautstärke
louder: lauter
quieter: leiser
mute: stumm
pause: pausiere
light: licht lichter lampe schlafzimmerlicht
lights: beleuchtung
heating: heizung klimaanlage
turn: schalte schalt dreh mach's
dim: dimme
tv: fernseher sendung
vacuum: staubsauger saugroboter
machine: kaffeemaschine waschmaschine spülmaschine
blinds: rollläden rollo
blue: blau
alarm: wecker
timer: timer
joke: witz
story: geschichte gutenachtgeschichte
poem: gedicht
translate: übersetze übersetzen
spanish: spanisch spanische
english: englisch
french: französisch
mean: bedeutet heißt
word: wort
definition: definition
capital: hauptstadt
president: bundeskanzler präsident
population: einwohner
mountain: berg
invented: erfunden
built: gebaut
old: alt
big: groß
located: liegt
food: essen hunger
pizza: pizza
order: bestell bestelle bestellen bestellung
restaurant: restaurant
table: tisch
recipe: rezept
cook: kochen koche
boil: kocht
calories: kalorien
taxi: taxi
train: zug bahn
flight: flug fliege
ticket: ticket tickets karten
hotel: hotel hotelzimmer
station: hauptbahnhof bahnhof
airport: flughafen
traffic: verkehr stau
way: weg
road: straße autobahn
drive: fahre fährt
gas: tankstelle
pharmacy: apotheke
supermarket: supermarkt
near: nähe
car: auto
tire: reifen reifendruck
bank: bank
account: konto kontostand
balance: kontostand
card: kreditkarte karte
money: geld
euro: euro
dollar: dollar
transfer: überweise
percent: prozent
exchange: wechselkurs
stock: aktie dax
price: kostet kosten preis
spent: ausgegeben
phone: handy telefon telefonnummer
number: nummer kontonummer
address: adresse
contacts: kontakt kontakte kontakten
text: sms
post: poste
news: neues
game: spiel
match: bundesliga
won: gewonnen
chess: schach
quiz: quiz
movie: film filme kino
series: serie serien
concert: konzert konzertabend
coin: münze
dice: würfle
root: wurzel
calculate: rechne
robot: roboter
human: mensch
name: name
love: liebe
tired: müde
hungry: hunger
headache: kopfschmerzen
symptoms: symptome
sick: krank
funny: lustig
sky: himmel
holiday: feiertag
strike: streik
subscription: abo
language: sprache
repeat: wiederhole
slower: langsamer
speak: sprich
photo: foto
keep: behalte lass halte
stop: stopp aufhören
random: zufallszahl
advice: rat
recommend: empfiehl schlag
difference: unterschied
works: funktioniert
take: nimm nehmen
record: aufnehmen
app: app apps
file: datei dateien dokument ordner
history: suchverlauf verlauf
video: video videos
picture: bild bilder foto fotos
fax: fax
headlines: schlagzeilen
door: tür haustür garagentor
window: fenster
oven: backofen ofen herd
dishwasher: spülmaschine
password: passwort pin
route: route wegbeschreibung
color: farbe
rocket: rakete
planet: planet planeten
moon: mond vollmond
language: sprachen
football: fußball fußballspiel
trainer: trainer
parking: parkplatz
fuel: benzin
delivery: lieferung
born: geboren
founded: gegründet
painted: gemalt
explain: erklär erkläre
tweet: tweet
screenshot: screenshot
suggestion: vorschlag
fever: fieber
jacket: jacke
battery: akku
canteen: kantine
rental: mietwagen
bus: bus busticket
lease: handyvertrag
quit: kündige kündigen
week: kalenderwoche
`
