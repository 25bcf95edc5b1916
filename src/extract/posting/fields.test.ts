// The tables of facts about posting fields, one describe a field.
import { describe, expect, test } from 'vitest';
import { emailsIn } from './emails.ts';
import { experienceYears, yearsOfLabel } from './experience.ts';
import { jobTypes, jobTypesOfTitle } from './job-type.ts';
import { postedDate } from './posted-date.ts';
import { remoteOfLabel, remoteOfText, remoteOfTitle, remoteRegions, remoteType } from './remote.ts';
import { seniority, seniorityOfLabel, seniorityOfTitle } from './seniority.ts';
import { skillsIn } from './skills.ts';

describe('job types', () => {
  test.each([
    [
      'full_time',
      'FullTime|Full-time|Full Time|FULL_TIME|full|fulltime_permanent|permanent|Vollzeit|temps plein|CDI|tiempo completo|jornada completa|全职|正社員|정규직|pełny etat|heltid|Regular Full Time (Salary)',
    ],
    ['part_time', 'Part-time|PART_TIME|part|Teilzeit|temps partiel|deltid|Minijob'],
    ['contract', 'Contract|Contractor|CONTRACTOR|freelance|C2C|1099|B2B|TJM|CDD|befristet'],
    ['temporary', 'Temporary|Temp|seasonal|intérim|Zeitarbeit'],
    [
      'internship',
      'Intern|Internship|INTERN|Praktikum|Werkstudent|stage|alternance|estágio|becario|co-op|working student|Ausbildung',
    ],
    ['per_diem', 'PER_DIEM'],
    ['volunteer', 'Volunteer'],
    ['other', 'OTHER|shift of the moon'],
  ])('%s: %s', (type, labels) => {
    for (const label of labels.split('|')) expect([label, jobTypes([label])]).toEqual([label, [type]]);
  });

  test('several types stay several, and an internship comes first', () => {
    expect(jobTypes(['FULL_TIME', 'PART_TIME'])).toEqual(['full_time', 'part_time']);
    expect(jobTypes(['FULL_TIME', 'INTERN'])).toEqual(['internship', 'full_time']);
    expect(jobTypes(['Full-time, Contract'])).toEqual(['full_time', 'contract']);
    expect(jobTypes(['fulltime_fixed_term'])).toEqual(['full_time', 'contract']);
    expect(jobTypes(['parttime_fixed_term'])).toEqual(['part_time', 'contract']);
    expect(jobTypes(['intern', 'full-time'])).toEqual(['internship', 'full_time']);
  });

  test('nothing is no type, never full time', () => {
    expect(jobTypes(['', null, undefined, 'unknown'])).toEqual([]);
    expect(jobTypesOfTitle('Contract Negotiation Specialist')).toEqual([]);
    expect(jobTypesOfTitle('Full Stack Developer')).toEqual([]);
    expect(jobTypesOfTitle('Software Engineering Intern')).toEqual(['internship']);
  });
});

describe('remote work', () => {
  test.each([
    ['This is not a remote role', 'onsite'],
    ['There is no remote option', 'onsite'],
    ['remote-first company, role based in our Berlin office 3 days a week', 'hybrid'],
    ['You may work remotely up to 2 days per week', 'hybrid'],
    ['100% remote within Germany', 'remote'],
    ['He supports remote teams', 'unknown'],
    ['via remote access, remote control, remote desktop and remote monitoring', 'unknown'],
    ['Télétravail partiel', 'hybrid'],
    ['teilweise remote', 'hybrid'],
    ['lavoro ibrido', 'hybrid'],
    ['Homeoffice möglich', 'hybrid'],
  ])('text: %s → %s', (text, expected) => {
    expect(remoteOfText(text)).toBe(expected);
  });

  test.each([
    ['Remote Sensing Scientist', 'unknown'],
    ['Engineer (Remote)', 'remote'],
    ['Remote Patient Monitoring Nurse', 'unknown'],
    ['Data Analyst - Remote', 'remote'],
  ])('title: %s → %s', (title, expected) => {
    expect(remoteOfTitle(title)).toBe(expected);
  });

  test('labels say it plainly', () => {
    expect(remoteOfLabel('work from home (WFH)')).toBe('remote');
    expect(remoteOfLabel('Onsite (5 Days per Week)')).toBe('onsite');
    expect(remoteOfLabel('Hybrid work')).toBe('hybrid');
    expect(remoteOfLabel('Dental insurance')).toBe('unknown');
    expect(['Arbete på plats', 'Hybridarbete', 'Distansarbete'].map(remoteOfLabel)).toEqual([
      'onsite',
      'hybrid',
      'remote',
    ]);
  });

  test('a field of the source wins over words', () => {
    expect(remoteType({ stated: 'hybrid', title: 'Engineer (Remote)' })).toBe('hybrid');
    expect(remoteType({ stated: 'unknown', title: 'Engineer (Remote)' })).toBe('remote');
    expect(remoteType({ title: 'Engineer', location: 'remote' })).toBe('remote');
    expect(remoteType({ title: 'Engineer', location: 'maybe' })).toBe('unknown');
  });

  test('where one may live', () => {
    expect(remoteRegions('100% remote within Germany, with travel')).toEqual(['DE']);
  });
});

describe('seniority', () => {
  test.each([
    ['senior', 'Senior Software Engineer|Sr. Backend Dev|Engineer III|Engineer V|Ingénieur confirmé'],
    ['staff', 'Staff Engineer'],
    ['principal', 'Principal Scientist|Distinguished Engineer|(Senior/Principal) Software Engineer'],
    ['lead', 'Lead Data Engineer|Tech Lead'],
    ['entry', 'Junior Dev|Jr. Analyst|Graduate Engineer|Entry Level|Engineer I|Associate'],
    ['intern', 'Software Engineering Intern|Werkstudent|Alternance|Summer 2027 Intern'],
    ['manager', 'Engineering Manager|Sr. Manager, Sales|Nurse Manager on Duty'],
    ['director', 'Head of Product|Director of Ops|Directeur'],
    ['vp', 'VP Sales|Vice President'],
    ['executive', 'CTO|Chief Financial Officer|Geschäftsführer'],
    [
      'unknown',
      'Art Director|Creative Director|Funeral Director|Lead Generation Specialist|CIO Advisory Consultant|Staff Accountant|Internal Auditor|International Sales|Stage 2 Technician|Acme i Västerås söker kockar|Kassör, Växjö|Inżynier i technik|Kock (i Umeå)',
    ],
  ])('%s: %s', (level, titles) => {
    for (const title of titles.split('|')) expect([title, seniorityOfTitle(title)]).toEqual([title, level]);
  });

  test.each([
    ['Mid-Senior level', 'mid'],
    ['Entry level', 'entry'],
    ['Associate', 'entry'],
    ['Director', 'director'],
    ['Executive', 'executive'],
    ['Internship', 'intern'],
    ['Not Applicable', 'unknown'],
    ['mid_senior_level', 'mid'],
    ['experienced', 'mid'],
    ['entry-level', 'entry'],
    ['student', 'intern'],
    ['Ingångsnivå', 'entry'],
    ['Erfaren', 'mid'],
    ['Mycket erfaren', 'senior'],
    ['Inget krav', 'unknown'],
  ])('label %s → %s', (label, level) => {
    expect(seniorityOfLabel(label)).toBe(level);
  });

  test('the title is believed before the label', () => {
    expect(seniority('Senior Nurse', 'Entry level')).toBe('senior');
    expect(seniority('Nurse', 'Entry level')).toBe('entry');
  });
});

describe('years of experience', () => {
  test.each([
    ['We ask for 5+ years of experience.', 5, null],
    ['3-5 years of experience in sales', 3, 5],
    ['two (2) years of experience', 2, null],
    ['at least 18 months of experience', 1.5, null],
    ['Python: 3+ years of experience. Teams: 7+ years of experience.', 7, null],
  ])('%s', (text, min, max) => {
    expect(experienceYears(text)).toEqual({ min, max });
  });

  test.each([
    '15 years ago we started',
    'Must be 18 years of age',
    'For over 20 years, we have helped farmers',
    'a 12 month contract',
  ])('nothing in: %s', (text) => {
    expect(experienceYears(text)).toBeNull();
  });

  test('a field of its own', () => {
    expect(yearsOfLabel('5-8 Yrs')).toEqual({ min: 5, max: 8 });
  });
});

describe('posted dates', () => {
  const now = Date.parse('2026-11-15T12:00:00Z');
  test.each([
    ['2026-11-10', '2026-11-10T00:00:00Z', 'day'],
    [1731650400000, '2024-11-15T06:00:00Z', 'exact'],
    ['2026-08-05 10:10:39 UTC', '2026-08-05T10:10:39Z', 'exact'],
    ['2016-05-31T12:14:07+0200', '2016-05-31T12:14:07+02:00', 'exact'],
    ['Tue, 25 Aug 2026 10:48:06 +0200', '2026-08-25T10:48:06+02:00', 'exact'],
    ['Posted Today', '2026-11-15T00:00:00Z', 'day'],
    ['Just posted', '2026-11-15T00:00:00Z', 'day'],
    ['Just Now', '2026-11-15T00:00:00Z', 'day'],
    ['Few Hours Ago', '2026-11-15T00:00:00Z', 'day'],
    ['Posted Yesterday', '2026-11-14T00:00:00Z', 'day'],
    ['1 day ago', '2026-11-14T00:00:00Z', 'day'],
    ['5 hours ago', '2026-11-15T07:00:00Z', 'approximate'],
    ['30 minutes ago', '2026-11-15T11:30:00Z', 'approximate'],
    ['3 weeks ago', '2026-10-25T00:00:00Z', 'approximate'],
    ['1 month ago', '2026-10-15T00:00:00Z', 'approximate'],
    ['vor 3 Tagen', '2026-11-12T00:00:00Z', 'approximate'],
    ['il y a 2 jours', '2026-11-13T00:00:00Z', 'approximate'],
    ['hace 1 semana', '2026-11-08T00:00:00Z', 'approximate'],
    ['3天前', '2026-11-12T00:00:00Z', 'approximate'],
    ['2026-8-6', '2026-08-06T00:00:00Z', 'day'],
    ['2030-01-01', null, 'unknown'],
    ['2024-02-29', '2024-02-29T00:00:00Z', 'day'],
    ['2026-02-29', null, 'unknown'],
    ['2024-00-10', null, 'unknown'],
    ['2024-13-10', null, 'unknown'],
    ['1999-12-31', null, 'unknown'],
    [0, null, 'unknown'],
    [null, null, 'unknown'],
  ])('%s → %s (%s)', (said, at, precision) => {
    expect(postedDate(said, now)).toEqual({ posted_at: at, posted_precision: precision, posted_not_after: null });
  });

  test.each(['30+ days ago', 'Posted 30+ Days Ago', '30d+'])('%s is only a bound', (said) => {
    expect(postedDate(said, now)).toEqual({
      posted_at: null,
      posted_precision: 'unknown',
      posted_not_after: '2026-10-16',
    });
  });
});

test('skills are found as they are written', () => {
  expect(skillsIn('We use Go, C++, C# and Node.js on AWS; you go to clients and excel in SQL.').sort()).toEqual([
    'AWS',
    'C#',
    'C++',
    'Go',
    'Node.js',
    'SQL',
  ]);
});

test('emails of people only', () => {
  const text = 'Write to Jobs@Acme.COM. or hr@acme.com, see logo@2x.png, a@example.com, job.1x@acme.recruitee.com';
  expect(emailsIn(text)).toEqual(['Jobs@acme.com', 'hr@acme.com']);
});
